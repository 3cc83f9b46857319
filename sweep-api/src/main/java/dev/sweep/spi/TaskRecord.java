package dev.sweep.spi;

import dev.sweep.DedupKey;
import dev.sweep.NewTask;
import dev.sweep.OnDuplicate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * SPI: a task to be stored, checked and with its payload encoded.
 *
 * @param payload JSON text
 * @param dueAt null: {@code delay} after now, by the store's clock
 * @param dedupKey null: none
 */
public record TaskRecord(
        String type,
        String queue,
        int priority,
        String payload,
        @Nullable Instant dueAt,
        Duration delay,
        int maxRetries,
        int maxLosses,
        @Nullable DedupKey dedupKey,
        OnDuplicate onDuplicate,
        Map<String, String> headers) {

    public TaskRecord {
        headers = Map.copyOf(headers);
    }

    /** The task with its payload encoded, and its due time spread. */
    public static TaskRecord of(NewTask<?> task, String payload) {
        Duration later = randomPartOf(task.spread());
        return new TaskRecord(
                task.type().name(),
                task.queue(),
                task.priority(),
                payload,
                task.dueAt().map(dueAt -> dueAt.plus(later)).orElse(null),
                task.delay().plus(later),
                task.maxRetries(),
                task.type().maxLosses(),
                task.dedupKey().orElse(null),
                task.onDuplicate(),
                task.headers());
    }

    private static Duration randomPartOf(Duration spread) {
        return spread.isZero()
                ? Duration.ZERO
                : Duration.ofMillis(ThreadLocalRandom.current().nextLong(spread.toMillis() + 1));
    }

    /** Without the payload: it may hold what must not be logged. */
    @Override
    public String toString() {
        return "TaskRecord[type=" + type + ", queue=" + queue + ", priority=" + priority + "]";
    }
}
