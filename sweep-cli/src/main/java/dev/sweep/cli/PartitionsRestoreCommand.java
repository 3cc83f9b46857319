package dev.sweep.cli;

import dev.sweep.partitioning.PartitionArchive;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep partitions restore}: makes the tables of an exported range again. */
@Command(
        name = "restore",
        header = "Make the tables of an exported partition again, as tables of their own.",
        description = "All or nothing. The queue does not see them; nothing is attached.",
        footer = {"  sweep partitions restore --from /var/backups/sweep --range 2026w40"})
final class PartitionsRestoreCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Option(names = "--from", paramLabel = "DIR", required = true, description = "The folder that was exported to.")
    private Path folder = Path.of("");

    @Option(names = "--range", paramLabel = "NAME", required = true, description = "Its name, such as 2026w40.")
    private String range = "";

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            long rows = PartitionArchive.of(opened.store()).restore(folder, range);
            output.result(
                    JsonText.object().put("range", range).put("rows", rows),
                    "restored " + rows + " rows to task_" + range + ", task_failure_" + range + " and task_outcome_"
                            + range);
        }
        return ExitCode.OK;
    }
}
