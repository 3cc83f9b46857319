package dev.sweep.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sweep partitions ahead}: creates those of the time to come. */
@Command(
        name = "ahead",
        header = "Create the partitions of the present and the time to come that are missing.",
        description =
                "Maintenance does the same by itself, also beside sweep work. Blocks nobody; does nothing if partitions are"
                        + " off. Also ends what sweep partitions on was interrupted in.",
        footer = {"  sweep partitions ahead", "  sweep partitions ahead --ahead 8"})
final class PartitionsAheadCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 2;

    @Mixin
    private AheadOption ahead;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        int periods = ahead.periods();
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            PartitionChanges.tell(
                    output, opened.partitions().ahead(periods).build().care());
        }
        return ExitCode.OK;
    }
}
