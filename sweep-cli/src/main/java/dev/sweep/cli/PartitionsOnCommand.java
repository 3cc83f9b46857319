package dev.sweep.cli;

import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep partitions on}: cuts an installation into partitions, while it is in use. */
@Command(
        name = "on",
        header = "Switch partitions on, while tasks are enqueued and run; resumable.",
        description =
                "What is there becomes the first partition: it gets an end at a time to come, and later ones are"
                        + " created. Strong locks last milliseconds and are tried for 100 ms at a time. Interrupted, run it again.",
        footer = {"  sweep partitions on --period week --dry-run", "  sweep partitions on --period day --ahead 14"})
final class PartitionsOnCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 2;

    @Option(
            names = "--period",
            paramLabel = "PERIOD",
            defaultValue = "week",
            description = "How long a partition is: week (ISO 8601), day or month, all in UTC. Default: week.")
    private CalendarPeriod period = CalendarPeriod.WEEK;

    @Mixin
    private AheadOption ahead;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = DurationConverter.class,
            description = "How long a strong lock is tried for while transactions are open. Default: 1m.")
    private Duration patience = Duration.ofMinutes(1);

    @Option(names = "--dry-run", description = "Print the SQL that would run, and change nothing.")
    private boolean isDryRun;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        int periods = ahead.periods();
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            PartitionManager partitions =
                    opened.partitions().ahead(periods).patience(patience).build();
            if (isDryRun) {
                PartitionChanges.tellPlanned(output, partitions.planToEnable(period));
            } else {
                PartitionChanges.tell(output, partitions.enable(period));
            }
        }
        return ExitCode.OK;
    }
}
