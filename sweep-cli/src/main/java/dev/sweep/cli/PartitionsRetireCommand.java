package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.InvalidConfigurationException;
import dev.sweep.maintenance.Retention;
import dev.sweep.partitioning.PartitionRetention;
import dev.sweep.partitioning.PartitionRetentionBuilder;
import dev.sweep.partitioning.RetentionReport;
import dev.sweep.partitioning.StayingRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
                "How long tasks stay, and what becomes of the tables, is what maintenance goes by, unless it is said here for"
                        + " this run. Blocks nobody. What stays is told with its reason. Interrupted, run it again: first it"
                        + " ends what is unfinished.",
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
            converter = DurationConverter.class,
            description = "How long a task stays after it finished. Default: what the installation is set to.")
    private @Nullable Duration finishedFor;

    @ArgGroup
    private @Nullable PartitionFate fate;

    @Option(
            names = "--force",
            description = "Take away what the installation is set to let stay: sooner, or dropped instead of kept.")
    private boolean isForced;

    @Option(names = "--dry-run", description = "Only tell what would go and what would stay.")
    private boolean isDryRun;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            PartitionRetention retention = retention(opened, Retention.of(opened.store()));
            RetentionReport report = isDryRun ? retention.preview() : retention.run();
            tell(report);
            return report.hasFailed() ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    /** A run by hand must not take away, by a default or by mistake, what maintenance was told to let stay. */
    private PartitionRetention retention(OpenSweep opened, Retention policy) {
        PartitionRetentionBuilder settings =
                opened.retention().finishedFor(finishedFor == null ? policy.ofPartitions() : finishedFor);
        PartitionRetention retention = PartitionFate.applied(fate, policy.oldPartitions(), settings)
                .orElseGet(() -> withoutFolder(settings))
                .build();
        if (!isForced && !isDryRun) {
            refuseLess(policy);
        }
        return retention;
    }

    /** To look, none is needed. */
    private PartitionRetentionBuilder withoutFolder(PartitionRetentionBuilder settings) {
        if (isDryRun) {
            return settings.thenKeep();
        }
        throw refused(
                "this installation is set to export old partitions; name a folder for them with --export DIR, or keep"
                        + " them with --keep");
    }

    private void refuseLess(Retention policy) {
        if (finishedFor != null && finishedFor.compareTo(policy.ofPartitions()) < 0) {
            throw refused("--finished-for " + DurationConverter.text(finishedFor) + " is shorter than the "
                    + DurationConverter.text(policy.ofPartitions())
                    + " that this installation is set to; leave it out, set it anew"
                    + " with sweep maintain --succeeded-for and --cancelled-for, or add --force for this run");
        }
        if (PartitionFate.isDrop(fate) && policy.oldPartitions() != Retention.Fate.DROP) {
            throw refused("this installation is set to "
                    + policy.oldPartitions().name().toLowerCase(Locale.ROOT)
                    + " old partitions; leave --drop out, set it anew with sweep maintain --drop, or add --force for this"
                    + " run");
        }
    }

    private static InvalidConfigurationException refused(String why) {
        return new InvalidConfigurationException(List.of(why));
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
        output.result(json, lines(report));
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

    private static List<String> lines(RetentionReport report) {
        List<String> lines = new ArrayList<>(report.repaired());
        report.retired()
                .forEach(range ->
                        lines.add(range.name() + ": " + range.fate().word() + ", " + range.tasks() + " tasks"));
        report.staying().forEach(range -> lines.add(range.name() + " stays: " + range.why()));
        return lines.isEmpty() ? List.of("nothing is past the retention") : lines;
    }
}
