package dev.sweep.cli;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a line of JSON or the options have said about a task so far; null where they said nothing. */
final class TaskDraft {

    @Nullable
    String type;

    @Nullable
    String payload;

    @Nullable
    String dedupKey;

    @Nullable
    Integer priority;

    @Nullable
    String queue;

    @Nullable
    Duration delay;

    @Nullable
    Instant dueAt;

    @Nullable
    Integer maxRetries;

    final Map<String, String> headers = new LinkedHashMap<>();

    /** The task, with every value checked except what is inside the payload. */
    NewTask<Json> task() {
        if (type == null) {
            throw CliException.badInput("the type is missing; it names the work, such as mail.welcome");
        }
        if (payload == null || payload.strip().equals("null")) {
            String fault = payload == null ? "missing" : "null";
            throw CliException.badInput("the payload is " + fault + "; give one JSON value, such as {}");
        }
        if (delay != null && dueAt != null) {
            throw CliException.badInput("delay and due time are both given; keep one");
        }
        NewTask<Json> task = TaskType.json(type).with(Json.of(payload));
        task = dedupKey == null ? task : task.dedupKey(dedupKey);
        task = priority == null ? task : task.priority(priority);
        task = queue == null ? task : task.queue(queue);
        task = delay == null ? task : task.delay(delay);
        task = dueAt == null ? task : task.dueAt(dueAt);
        task = maxRetries == null ? task : task.maxRetries(maxRetries);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            task = task.header(header.getKey(), header.getValue());
        }
        return task;
    }
}
