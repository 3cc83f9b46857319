package dev.sweep.cli;

import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep list}: the newest tasks, without their payloads. */
@Command(
        name = "list",
        header = "List tasks, newest first, without their payloads.",
        description = "Times are in UTC. With --json: one object a line.",
        footer = {
            "  sweep list --status failed --type mail",
            "  sweep list --limit 100 --before 901943132168193",
            "  sweep list --status pending --json | jq .id"
        })
final class ListCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            converter = TaskStatusConverter.class,
            description = "Only pending, processing, succeeded, failed or cancelled ones.")
    private @Nullable TaskStatus status;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only tasks of this type.")
    private @Nullable String type;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only tasks of this queue.")
    private @Nullable String queue;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, 1 to 10,000 (default 50).")
    private @Nullable Integer limit;

    @Option(
            names = "--before",
            paramLabel = "ID",
            converter = TaskIdConverter.class,
            description = "Only tasks older than this one: the next page after a list that ended with it.")
    private @Nullable TaskId before;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        TaskQuery query = query();
        List<Task> tasks;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            tasks = opened.sweep().list(query);
        }
        if (output.isJson()) {
            tasks.forEach(task -> output.out().println(JsonText.line(TaskJson.withoutPayload(task))));
        } else {
            table(tasks).print(output.out());
        }
        if (tasks.size() == query.limit()) {
            output.remark(
                    "There may be more: --before " + tasks.get(tasks.size() - 1).id());
        }
        return ExitCode.OK;
    }

    private TaskQuery query() {
        TaskQuery query = TaskQuery.newest();
        query = status == null ? query : query.status(status);
        query = type == null ? query : query.type(type);
        query = queue == null ? query : query.queue(queue);
        query = before == null ? query : query.before(before);
        return limit == null ? query : query.limit(limit);
    }

    static Table table(List<Task> tasks) {
        Table table = new Table(
                Table.right("ID"),
                Table.left("STATUS"),
                Table.left("TYPE"),
                Table.left("QUEUE"),
                Table.right("PRIORITY"),
                Table.right("RETRIES"),
                Table.left("CREATED"),
                Table.left("DUE"),
                Table.left("ERROR"));
        for (Task task : tasks) {
            table.row(
                    task.id().toString(),
                    task.status().word(),
                    task.type(),
                    task.queue(),
                    Integer.toString(task.priority()),
                    task.retryCount() + "/" + task.maxRetries(),
                    toSeconds(task.createdAt()),
                    toSeconds(task.dueAt()),
                    task.error().orElse(""));
        }
        return table;
    }

    private static String toSeconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
