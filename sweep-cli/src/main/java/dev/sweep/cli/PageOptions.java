package dev.sweep.cli;

import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which page of a list of tasks is shown, newest first. */
final class PageOptions {

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

    TaskQuery query() {
        TaskQuery query = TaskQuery.newest();
        query = type == null ? query : query.type(type);
        query = queue == null ? query : query.queue(queue);
        query = before == null ? query : query.before(before);
        return limit == null ? query : query.limit(limit);
    }

    /** Says too how to see more. */
    void print(List<Task> tasks, Table forPeople, OutputOptions output) {
        if (output.isJson()) {
            tasks.forEach(task -> output.out().println(JsonText.line(TaskJson.withoutPayload(task))));
        } else {
            forPeople.print(output.out());
        }
        if (tasks.size() == query().limit()) {
            output.remark(
                    "There may be more: --before " + tasks.get(tasks.size() - 1).id());
        }
    }

    static String toSeconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
