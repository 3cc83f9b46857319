package dev.sweep.spi;

import dev.sweep.TaskId;
import java.time.Instant;
import java.util.Map;

/**
 * SPI: a task that this worker may run now.
 *
 * @param retries failures so far
 * @param losses how often a worker that ran it vanished
 * @param payload JSON text
 */
public record ClaimedTask(
        Attempt attempt,
        String type,
        String queue,
        int priority,
        Instant dueAt,
        int retries,
        int losses,
        int maxRetries,
        String payload,
        Map<String, String> headers) {

    public ClaimedTask {
        headers = Map.copyOf(headers);
    }

    public TaskId id() {
        return attempt.id();
    }

    /** Counted from 1. */
    public int attemptNumber() {
        return retries + 1;
    }

    /** Without the payload: it may hold what must not be logged. */
    @Override
    public String toString() {
        return "ClaimedTask[" + attempt + ", type=" + type + ", queue=" + queue + "]";
    }
}
