package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.partitioning.PartitionManager.PlannedStep;
import java.util.List;

/** How the commands that change partitions tell what they did, or would do. */
final class PartitionChanges {

    private PartitionChanges() {}

    static void tell(OutputOptions output, List<String> done) {
        ObjectNode json = JsonText.object();
        ArrayNode steps = json.putArray("done");
        done.forEach(steps::add);
        output.result(json, done.isEmpty() ? List.of("nothing to do") : done);
    }

    /** As text that can be piped into psql. */
    static void tellPlanned(OutputOptions output, List<PlannedStep> planned) {
        if (output.isJson()) {
            ObjectNode json = JsonText.object();
            ArrayNode steps = json.putArray("planned");
            planned.forEach(step -> {
                ObjectNode told = steps.addObject().put("what", step.what()).put("scan", step.isScan());
                ArrayNode sql = told.putArray("sql");
                step.preamble().forEach(sql::add);
                step.sql().forEach(sql::add);
            });
            output.out().println(JsonText.line(json));
        } else if (planned.isEmpty()) {
            output.out().println("-- nothing to do");
        } else {
            planned.forEach(step -> print(output, step));
        }
        output.out().flush();
    }

    private static void print(OutputOptions output, PlannedStep step) {
        String cost = step.isScan() ? "reads the whole table, locks nobody out" : "takes milliseconds";
        output.out().println("-- " + Printable.of(step.what()) + " (" + cost + ")");
        output.out().println("begin;");
        step.preamble().forEach(sql -> output.out().println(Printable.of(sql) + ";"));
        step.sql().forEach(sql -> output.out().println(Printable.of(sql) + ";"));
        output.out().println("commit;");
    }
}
