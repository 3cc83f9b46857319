package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.StatusCount;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sweep stats}: how many tasks have which status. */
@Command(
        name = "stats",
        header = "Show how many tasks have which status, and how long they ran on average.",
        description = "Counts marked with ~ are estimates. With --json: one object with a member per status.",
        footer = {"  sweep stats", "  sweep stats --json | jq .failed.count"})
final class StatsCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        List<StatusCount> counts;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            counts = opened.sweep().counts();
        }
        if (output.isJson()) {
            output.out().println(JsonText.line(json(counts)));
        } else {
            table(counts).print(output.out());
        }
        return ExitCode.OK;
    }

    static ObjectNode json(List<StatusCount> counts) {
        ObjectNode json = JsonText.object();
        for (StatusCount count : counts) {
            ObjectNode status = json.putObject(count.status().word());
            status.put("count", count.count());
            status.put("exact", count.exact());
            status.put(
                    "averageMillis",
                    count.averageDuration().map(StatsCommand::millis).orElse(null));
        }
        return json;
    }

    static Table table(List<StatusCount> counts) {
        Table table = new Table(Table.left("STATUS"), Table.right("TASKS"), Table.right("AVERAGE RUN"));
        for (StatusCount count : counts) {
            table.row(
                    count.status().word(),
                    (count.exact() ? "" : "~") + String.format(Locale.ROOT, "%,d", count.count()),
                    count.averageDuration().map(StatsCommand::shown).orElse("-"));
        }
        return table;
    }

    private static Double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    private static String shown(Duration duration) {
        double millis = millis(duration);
        return millis < 1000
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%,.1f s", millis / 1000);
    }
}
