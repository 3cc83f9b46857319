package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What came out of a demo.
 *
 * @param counted by the database
 * @param expected what must come out
 * @param mails how often a plain handler sent one
 * @param took from the first sign-up to the end of the last task
 * @param effectsQuery the SQL that counted the effects
 */
record DemoResult(
        DemoCounts counted, DemoCounts expected, long mails, int workersKilled, Duration took, String effectsQuery) {

    /** One sentence per count that is off; empty if all is well. */
    List<String> faults() {
        List<String> faults = new ArrayList<>(counted.faults(expected));
        if (!counted.isExactlyOnce()) {
            faults.add("effects: not every succeeded task has exactly one");
        }
        if (mails < expected.customers()) {
            faults.add("mails: " + mails + " in the database, but at least " + expected.customers() + " must be");
        }
        if (workersKilled != 1) {
            faults.add("workers killed: " + workersKilled + ", but it must be 1");
        }
        return faults;
    }

    ObjectNode json() {
        ObjectNode json = JsonText.object();
        json.put("enqueued", counted.enqueued());
        json.put("duplicates", counted.duplicates());
        json.put("succeeded", counted.succeeded());
        json.put("retried", counted.retried());
        json.put("dead", counted.dead());
        json.put("effects", counted.effects());
        json.put("exactlyOnce", counted.isExactlyOnce());
        json.put("workersKilled", workersKilled);
        json.put("seconds", Math.round(seconds() * 1000) / 1000.0);
        return json;
    }

    void print(PrintWriter out) {
        Table table = new Table(Table.left(""), Table.right("COUNTED"), Table.right("MUST BE"));
        row(table, "customers", counted.customers(), expected.customers());
        row(table, "tasks enqueued", counted.enqueued(), expected.enqueued());
        row(table, "duplicates refused", counted.duplicates(), expected.duplicates());
        row(table, "succeeded", counted.succeeded(), expected.succeeded());
        row(table, "attempts retried", counted.retried(), expected.retried());
        row(table, "dead", counted.dead(), expected.dead());
        row(table, "effects (ledger entries)", counted.effects(), expected.effects());
        table.row("mails sent (plain handler)", number(mails), ">= " + number(expected.customers()));
        row(table, "workers killed", workersKilled, 1);
        table.row("seconds", String.format(Locale.ROOT, "%.1f", seconds()), "");
        table.row("tasks/s", number(Math.round(counted.succeeded() / Math.max(seconds(), 0.001))), "");
        table.print(out);
        out.println();
        out.println("every effect exactly once: " + (counted.isExactlyOnce() ? "yes" : "NO") + ", counted by");
        effectsQuery.lines().forEach(line -> out.println("  " + line));
        out.flush();
    }

    private double seconds() {
        return took.toMillis() / 1000.0;
    }

    private static void row(Table table, String name, long counted, long expected) {
        table.row(name, number(counted), number(expected));
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
