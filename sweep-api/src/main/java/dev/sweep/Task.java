package dev.sweep;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A task as the database knows it at one moment: one row of the public view {@code tasks}, whose columns these are.
 *
 * @param priority as it is now: that of the enqueue, or what it was changed to while it waited
 * @param payload the payload as JSON text
 * @param retryCount retries so far; never more than {@code maxRetries}
 * @param losses how often its worker vanished
 * @param error the last failure's message, or why it was cancelled; empty if there was neither since it was enqueued or
 *     requeued
 * @param dueAt from when it may be claimed, or might have been
 * @param startedAt the start of the attempt under way or of the last one
 * @param finishedAt when it got its final status
 * @param result what its handler returned, as JSON text
 * @param requeuedFrom the ended task that this one replaced
 */
public record Task(
        TaskId id,
        String type,
        String queue,
        int priority,
        TaskStatus status,
        String payload,
        Map<String, String> headers,
        Optional<String> dedupKey,
        int retryCount,
        int maxRetries,
        int losses,
        Optional<String> error,
        Instant createdAt,
        Instant dueAt,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        Optional<String> result,
        Optional<TaskId> requeuedFrom) {

    public Task {
        headers = Map.copyOf(headers);
    }

    /** Without the payload and the result: they may hold what must not be logged. */
    @Override
    public String toString() {
        return "Task[id=" + id + ", type=" + type + ", queue=" + queue + ", status=" + status.word() + "]";
    }
}
