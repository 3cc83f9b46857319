package dev.sweep.cli;

import dev.sweep.Task;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sweep dead list}: the newest failed tasks, without their payloads. */
@Command(
        name = "list",
        header = "List failed tasks, newest first, without their payloads.",
        description = "Times are in UTC. With --json: one object a line.",
        footer = {"  sweep dead list --type mail", "  sweep dead list --limit 1000 --json | jq .error"})
final class DeadListCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Mixin
    private PageOptions page;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        TaskQuery query = page.query().status(TaskStatus.FAILED);
        List<Task> tasks;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            tasks = opened.sweep().list(query);
        }
        page.print(tasks, table(tasks), output);
        return ExitCode.OK;
    }

    static Table table(List<Task> tasks) {
        Table table = new Table(
                Table.right("ID"),
                Table.left("TYPE"),
                Table.left("QUEUE"),
                Table.right("RETRIES"),
                Table.right("LOSSES"),
                Table.left("CREATED"),
                Table.left("FAILED"),
                Table.left("ERROR"));
        for (Task task : tasks) {
            table.row(
                    task.id().toString(),
                    task.type(),
                    task.queue(),
                    task.retryCount() + "/" + task.maxRetries(),
                    Integer.toString(task.losses()),
                    PageOptions.toSeconds(task.createdAt()),
                    task.finishedAt().map(PageOptions::toSeconds).orElse("-"),
                    task.error().orElse(""));
        }
        return table;
    }
}
