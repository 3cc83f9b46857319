package dev.sweep.cli;

import dev.sweep.partitioning.PartitionManager;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep partitions off}: no further partitions. */
@Command(
        name = "off",
        header = "Switch partitions off: what comes after the last one goes into one without end.",
        description = "The partitions that are there stay until retention takes them. Blocks nobody.",
        footer = {"  sweep partitions off --dry-run", "  sweep partitions off"})
final class PartitionsOffCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 2;

    @Option(names = "--dry-run", description = "Print the SQL that would run, and change nothing.")
    private boolean isDryRun;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            PartitionManager partitions = opened.partitions().build();
            if (isDryRun) {
                PartitionChanges.tellPlanned(output, partitions.planToDisable());
            } else {
                PartitionChanges.tell(output, partitions.disable());
            }
        }
        return ExitCode.OK;
    }
}
