package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sweep cancel ID}: withdraws a task that has not ended. */
@Command(
        name = "cancel",
        header = "Cancel a task that has not ended; one that runs is told to stop and its outcome is refused.",
        description =
                "Says which status the task has now. Exit code 1 if there is no such task or it had ended before.",
        footer = "  sweep cancel 901943132168193")
final class CancelCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 2;

    @Parameters(paramLabel = "ID", converter = TaskIdConverter.class, description = "The task's id.")
    private TaskId id;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        TaskStatus status;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            status = opened.sweep().cancel(id).orElseThrow(() -> NoSuchTask.of(id));
        }
        boolean isCancelled = status == TaskStatus.CANCELLED;
        ObjectNode json = JsonText.object();
        json.put("id", id.value());
        json.put("status", status.word());
        output.result(
                json,
                isCancelled
                        ? "task " + id + " is cancelled"
                        : "task " + id + " had already " + status.word() + "; nothing was changed");
        return isCancelled ? ExitCode.OK : ExitCode.FAILED;
    }
}
