package dev.sweep.cli;

import dev.sweep.Task;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
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

    @Mixin
    private PageOptions page;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        TaskQuery query = page.query();
        List<Task> tasks;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            tasks = opened.sweep().list(status == null ? query : query.status(status));
        }
        page.print(tasks, table(tasks), output);
        return ExitCode.OK;
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
                    PageOptions.toSeconds(task.createdAt()),
                    PageOptions.toSeconds(task.dueAt()),
                    task.error().orElse(""));
        }
        return table;
    }
}
