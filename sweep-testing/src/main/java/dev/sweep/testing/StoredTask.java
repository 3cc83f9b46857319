package dev.sweep.testing;

import dev.sweep.DedupKey;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A task of the {@link InMemoryTaskStore} with where it stands. Not thread-safe: the store's lock guards it. */
final class StoredTask {

    static final int PRIORITIES = 10;
    private static final int RANK_ZERO_PRIORITY = 10;

    private final TaskId id;
    private final TaskRecord record;
    private final Instant createdAt;

    private TaskStatus status = TaskStatus.PENDING;
    private Instant dueAt;
    private int retries;
    private int losses;
    private @Nullable String error;
    private @Nullable String result;
    private @Nullable Instant startedAt;
    private @Nullable Instant finishedAt;
    private @Nullable Duration runTime;

    StoredTask(TaskId id, TaskRecord record, Instant createdAt, Instant dueAt) {
        this.id = id;
        this.record = record;
        this.createdAt = createdAt;
        this.dueAt = dueAt;
    }

    /** Starts an attempt, which is what a claim is. */
    ClaimedTask start(long lease, Instant now) {
        status = TaskStatus.PROCESSING;
        startedAt = now;
        return new ClaimedTask(
                new Attempt(lease, id),
                record.type(),
                record.queue(),
                record.priority(),
                dueAt,
                retries,
                losses,
                record.maxRetries(),
                record.payload(),
                record.headers());
    }

    /** Waits again from {@code due} on. */
    void waitUntil(Instant due) {
        status = TaskStatus.PENDING;
        dueAt = due;
    }

    /** Forgets the start of an attempt that did not really start. */
    void forgetStart() {
        startedAt = null;
    }

    void countRetry() {
        retries++;
    }

    /** Counts a vanished worker; true if that was one too many. */
    boolean countLoss() {
        losses++;
        return losses > record.maxLosses();
    }

    void recordError(String message) {
        error = message;
    }

    void succeed(Completion completion, Instant now) {
        end(TaskStatus.SUCCEEDED, now, completion.runTime());
        result = completion.result();
    }

    /** Ends for ever; a run time that nobody measured is null. */
    void end(TaskStatus finalStatus, Instant now, @Nullable Duration measuredRunTime) {
        status = finalStatus;
        finishedAt = now;
        runTime = measuredRunTime;
    }

    /** Its place in the claim order while it waits. */
    Waiting waiting() {
        return new Waiting(RANK_ZERO_PRIORITY - record.priority(), dueAt, id);
    }

    Task snapshot() {
        return new Task(
                id,
                record.type(),
                record.queue(),
                record.priority(),
                status,
                record.payload(),
                record.headers(),
                dedupKey().map(DedupKey::value),
                retries,
                record.maxRetries(),
                losses,
                Optional.ofNullable(error),
                createdAt,
                dueAt,
                Optional.ofNullable(startedAt),
                Optional.ofNullable(finishedAt),
                Optional.ofNullable(result));
    }

    Optional<DedupKey> dedupKey() {
        return Optional.ofNullable(record.dedupKey());
    }

    TaskId id() {
        return id;
    }

    String type() {
        return record.type();
    }

    String queue() {
        return record.queue();
    }

    int priority() {
        return record.priority();
    }

    int maxLosses() {
        return record.maxLosses();
    }

    Instant createdAt() {
        return createdAt;
    }

    TaskStatus status() {
        return status;
    }

    Instant dueAt() {
        return dueAt;
    }

    boolean isDue(Instant now) {
        return !dueAt.isAfter(now);
    }

    boolean wasLost() {
        return losses > 0;
    }

    Optional<Duration> runTime() {
        return Optional.ofNullable(runTime);
    }
}
