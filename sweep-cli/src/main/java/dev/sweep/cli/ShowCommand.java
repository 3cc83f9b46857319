package dev.sweep.cli;

import dev.sweep.Task;
import dev.sweep.TaskFailure;
import dev.sweep.TaskId;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sweep show ID}: all about one task, its payload included. */
@Command(
        name = "show",
        header = "Show all about one task: its payload, and how its attempts failed.",
        description = "Times are in UTC.",
        footer = {"  sweep show 901943132168193", "  sweep show 901943132168193 --json | jq .payload"})
final class ShowCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Parameters(paramLabel = "ID", converter = TaskIdConverter.class, description = "The task's id.")
    private TaskId id;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        Task task;
        List<TaskFailure> failures;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            task = opened.sweep().find(id).orElseThrow(() -> NoSuchTask.of(id));
            failures = opened.sweep().admin().failures(id);
        }
        if (output.isJson()) {
            output.out().println(JsonText.line(TaskJson.whole(task, failures)));
        } else {
            print(task, failures, output.out());
        }
        return ExitCode.OK;
    }

    static void print(Task task, List<TaskFailure> failures, PrintWriter out) {
        line(out, "id", task.id().toString());
        line(out, "status", task.status().word());
        line(out, "type", task.type());
        line(out, "queue", task.queue());
        line(out, "priority", Integer.toString(task.priority()));
        line(out, "dedup key", task.dedupKey().orElse("-"));
        line(out, "retries", task.retryCount() + " of " + task.maxRetries());
        line(out, "losses", Integer.toString(task.losses()));
        line(out, "created", task.createdAt().toString());
        line(out, "due", task.dueAt().toString());
        line(out, "started", task.startedAt().map(Instant::toString).orElse("-"));
        line(out, "finished", task.finishedAt().map(Instant::toString).orElse("-"));
        task.requeuedFrom().ifPresent(old -> line(out, "requeued", "from " + old));
        task.headers().forEach((name, value) -> line(out, "header", name + "=" + value));
        task.error().ifPresent(error -> error.lines().forEach(text -> line(out, "error", text)));
        failures.forEach(failure -> line(out, "failure", text(task, failure)));
        json(out, "payload", task.payload());
        task.result().ifPresent(result -> json(out, "result", result));
        out.flush();
    }

    private static void json(PrintWriter out, String name, String json) {
        out.println(name);
        JsonText.pretty(json).lines().forEach(text -> out.println("  " + text));
    }

    private static String text(Task task, TaskFailure failure) {
        String asWhom = failure.ranAs().equals(task.id()) ? "" : " as task " + failure.ranAs();
        return failure.failedAt() + " attempt " + failure.attempt() + asWhom + ": "
                + failure.message().lines().findFirst().orElse("");
    }

    private static void line(PrintWriter out, String name, String value) {
        out.println(name + " ".repeat(12 - name.length()) + Printable.of(value));
    }
}
