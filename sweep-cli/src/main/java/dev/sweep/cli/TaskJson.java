package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.Task;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A task as JSON; the names of the members are those of {@link Task}. */
final class TaskJson {

    private TaskJson() {}

    /** All but the payload, the result and headers: they may hold what should not stand in a list. */
    static ObjectNode withoutPayload(Task task) {
        ObjectNode json = JsonText.object();
        json.put("id", task.id().value());
        json.put("type", task.type());
        json.put("queue", task.queue());
        json.put("priority", task.priority());
        json.put("status", task.status().word());
        json.put("dedupKey", task.dedupKey().orElse(null));
        json.put("retryCount", task.retryCount());
        json.put("maxRetries", task.maxRetries());
        json.put("losses", task.losses());
        json.put("error", task.error().orElse(null));
        json.put("createdAt", task.createdAt().toString());
        json.put("dueAt", task.dueAt().toString());
        json.put("startedAt", text(task.startedAt()));
        json.put("finishedAt", text(task.finishedAt()));
        return json;
    }

    static ObjectNode whole(Task task) {
        ObjectNode json = withoutPayload(task);
        ObjectNode headers = json.putObject("headers");
        task.headers().forEach(headers::put);
        json.putRawValue("payload", JsonText.raw(task.payload()));
        task.result().ifPresent(result -> json.putRawValue("result", JsonText.raw(result)));
        return json;
    }

    private static @Nullable String text(Optional<Instant> instant) {
        return instant.map(Instant::toString).orElse(null);
    }
}
