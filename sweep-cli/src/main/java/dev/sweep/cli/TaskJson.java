package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.Task;
import dev.sweep.TaskFailure;
import dev.sweep.TaskId;
import java.time.Instant;
import java.util.List;
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
        json.put("requeuedFrom", task.requeuedFrom().map(TaskId::value).orElse(null));
        return json;
    }

    static ObjectNode whole(Task task, List<TaskFailure> failures) {
        ObjectNode json = withoutPayload(task);
        ObjectNode headers = json.putObject("headers");
        task.headers().forEach(headers::put);
        ArrayNode runs = json.putArray("failures");
        failures.forEach(failure -> runs.add(json(failure)));
        json.putRawValue("payload", JsonText.raw(task.payload()));
        task.result().ifPresent(result -> json.putRawValue("result", JsonText.raw(result)));
        return json;
    }

    private static ObjectNode json(TaskFailure failure) {
        ObjectNode json = JsonText.object();
        json.put("ranAs", failure.ranAs().value());
        json.put("attempt", failure.attempt());
        json.put("failedAt", failure.failedAt().toString());
        json.put("worker", failure.worker().orElse(null));
        json.put("errorClass", failure.errorClass());
        json.put("message", failure.message());
        return json;
    }

    private static @Nullable String text(Optional<Instant> instant) {
        return instant.map(Instant::toString).orElse(null);
    }
}
