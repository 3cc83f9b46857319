package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sweep await}: waits until a task has ended. */
@Command(
        name = "await",
        header = "Wait until a task has ended, and say how.",
        description = "Exit code 0 if it has succeeded; 1 if it has failed, was cancelled or has not ended in time.",
        footer = "  sweep await 901943132168193 --timeout 5m")
final class AwaitCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Parameters(paramLabel = "ID", converter = TaskIdConverter.class, description = "The task's id.")
    private TaskId id;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long to wait: 500ms, 10s, 5m (default 1m).")
    private Duration timeout = Duration.ofMinutes(1);

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws InterruptedException {
        TaskStatus status;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            Optional<Task> ended = opened.sweep().awaitEnd(id, timeout);
            status = ended.or(() -> opened.sweep().find(id)).map(Task::status).orElseThrow(() -> NoSuchTask.of(id));
        }
        ObjectNode json = JsonText.object();
        json.put("id", id.value());
        json.put("status", status.word());
        json.put("ended", status.isFinal());
        output.result(json, "task " + id + " " + (status.isFinal() ? how(status) : "is still " + status.word()));
        return status == TaskStatus.SUCCEEDED ? ExitCode.OK : ExitCode.FAILED;
    }

    private static String how(TaskStatus status) {
        return (status == TaskStatus.CANCELLED ? "was " : "has ") + status.word();
    }
}
