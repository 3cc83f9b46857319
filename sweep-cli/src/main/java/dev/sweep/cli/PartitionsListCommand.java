package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.partitioning.PartitionState;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sweep partitions list}: what partitions there are. */
@Command(
        name = "list",
        header = "Show the partitions, oldest first, and how far ahead they reach.",
        description = "All times are UTC. The one marked now takes the tasks that are enqueued now.",
        footer = {"  sweep partitions list", "  sweep partitions list --json | jq .runway"})
final class PartitionsListCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        PartitionState state;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            state = opened.partitions().build().state();
        }
        if (output.isJson()) {
            output.out().println(JsonText.line(json(state)));
        } else {
            table(state).print(output.out());
            output.remark(summary(state));
        }
        return ExitCode.OK;
    }

    private static ObjectNode json(PartitionState state) {
        ObjectNode json = JsonText.object();
        json.put("period", state.period().orElse(null));
        json.put("converting", state.isConverting());
        json.put("runway", state.runway().isPresent() ? state.runway().getAsInt() : null);
        ArrayNode partitions = json.putArray("partitions");
        state.partitions()
                .forEach(partition -> partitions
                        .addObject()
                        .put("name", partition.name())
                        .put("from", partition.from().map(Instant::toString).orElse(null))
                        .put("to", partition.to().map(Instant::toString).orElse(null))
                        .put("present", partition.isPresent()));
        return json;
    }

    private static Table table(PartitionState state) {
        Table table = new Table(Table.left("PARTITION"), Table.left("FROM"), Table.left("TO"), Table.left(""));
        state.partitions()
                .forEach(partition -> table.row(
                        partition.name(),
                        partition.from().map(Instant::toString).orElse("-"),
                        partition.to().map(Instant::toString).orElse("-"),
                        partition.isPresent() ? "now" : ""));
        return table;
    }

    private static String summary(PartitionState state) {
        return state.period()
                .map(period -> state.isConverting()
                        ? "by " + period + "; switching on was interrupted: run `sweep partitions on --period " + period
                                + "`"
                        : "by " + period + "; " + state.runway().orElse(0) + " of them ahead of the present one")
                .orElse("partitions are off");
    }
}
