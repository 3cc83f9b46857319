package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.partitioning.PartitionRetention;
import dev.sweep.partitioning.RetentionReport;
import dev.sweep.partitioning.StayingRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep partitions retire}: takes away what is past the retention. */
@Command(
        name = "retire",
        header = "Take away the partitions that are past the retention and hold nothing live.",
        description =
                "Blocks nobody. What stays is told with its reason. Interrupted, run it again: first it ends what is"
                        + " unfinished.",
        footer = {
            "  sweep partitions retire --dry-run",
            "  sweep partitions retire --finished-for 28d --export /var/backups/sweep"
        })
final class PartitionsRetireCommand implements Callable<Integer> {

    /** A detach can't be part of a transaction; another one holds the guard meanwhile. */
    private static final int CONNECTIONS = 2;

    @Option(
            names = "--finished-for",
            paramLabel = "TIME",
            defaultValue = "7d",
            converter = DurationConverter.class,
            description = "How long a task stays after it finished. Default: 7d.")
    private Duration finishedFor = Duration.ofDays(7);

    @ArgGroup
    private @Nullable PartitionFate fate;

    @Option(names = "--dry-run", description = "Only tell what would go and what would stay.")
    private boolean isDryRun;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            PartitionRetention retention = PartitionFate.applied(fate, opened.retention())
                    .finishedFor(finishedFor)
                    .build();
            RetentionReport report = isDryRun ? retention.preview() : retention.run();
            tell(report);
            return report.hasFailed() ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    private void tell(RetentionReport report) {
        ObjectNode json = JsonText.object();
        ArrayNode repaired = json.putArray("repaired");
        report.repaired().forEach(repaired::add);
        ArrayNode retired = json.putArray("retired");
        report.retired()
                .forEach(range -> retired.addObject()
                        .put("name", range.name())
                        .put("fate", range.fate().word())
                        .put("tasks", range.tasks()));
        ArrayNode staying = json.putArray("staying");
        report.staying().forEach(range -> tell(staying, range));
        output.result(json, text(report));
    }

    private static void tell(ArrayNode staying, StayingRange range) {
        ObjectNode told = staying.addObject().put("name", range.name()).put("why", range.why());
        ArrayNode stragglers = told.putArray("stragglers");
        range.stragglers()
                .forEach(straggler -> stragglers
                        .addObject()
                        .put("id", straggler.id().value())
                        .put("place", straggler.place().word()));
    }

    private static String text(RetentionReport report) {
        List<String> lines = new ArrayList<>(report.repaired());
        report.retired()
                .forEach(range ->
                        lines.add(range.name() + ": " + range.fate().word() + ", " + range.tasks() + " tasks"));
        report.staying().forEach(range -> lines.add(range.name() + " stays: " + range.why()));
        return lines.isEmpty() ? "nothing is past the retention" : String.join("\n", lines);
    }
}
