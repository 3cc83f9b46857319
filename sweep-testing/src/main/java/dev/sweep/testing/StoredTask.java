package dev.sweep.testing;

import dev.sweep.DedupKey;
import dev.sweep.Task;
import dev.sweep.TaskFailure;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A task of the {@link InMemoryTaskStore} with where it stands. Not thread-safe: the store's lock guards it. */
final class StoredTask {

    static final int PRIORITIES = 10;
    private static final int RANK_ZERO_PRIORITY = 10;
    private static final int FAILURES_KEPT = 100;

    private final TaskId id;
    private final Instant createdAt;
    private final @Nullable TaskId requeuedFrom;
    private final List<TaskFailure> failures;
    private TaskRecord record;
    private int priority;

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
        this(id, record, createdAt, dueAt, null, List.of());
    }

    private StoredTask(
            TaskId id,
            TaskRecord record,
            Instant createdAt,
            Instant dueAt,
            @Nullable TaskId requeuedFrom,
            List<TaskFailure> failures) {
        this.id = id;
        this.record = record;
        this.priority = record.priority();
        this.createdAt = createdAt;
        this.dueAt = dueAt;
        this.requeuedFrom = requeuedFrom;
        this.failures = new ArrayList<>(failures);
    }

    /** The task that replaces this one. */
    StoredTask requeuedAs(TaskId newId, Instant now) {
        int dropped = Math.max(0, failures.size() - FAILURES_KEPT);
        return new StoredTask(newId, record, now, now, id, failures.subList(dropped, failures.size()));
    }

    /** Another task has its key. */
    void loseKey() {
        record = new TaskRecord(
                record.type(),
                record.queue(),
                record.priority(),
                record.payload(),
                record.dueAt(),
                record.delay(),
                record.maxRetries(),
                record.maxLosses(),
                null,
                record.onDuplicate(),
                record.headers());
    }

    /** Starts an attempt, which is what a claim is. */
    ClaimedTask start(long lease, Instant now) {
        status = TaskStatus.PROCESSING;
        startedAt = now;
        return new ClaimedTask(
                new Attempt(lease, id),
                record.type(),
                record.queue(),
                priority,
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

    /** Records a run that failed, or was lost, before it is counted. */
    void recordFailure(Instant now, String worker, String errorClass, String message) {
        failures.add(new TaskFailure(id, retries + 1, now, Optional.of(worker), errorClass, message));
        error = message;
    }

    /** Says why it ends without a failed run. */
    void recordError(String reason) {
        error = reason;
    }

    void changePriority(int newPriority) {
        priority = newPriority;
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
        return new Waiting(RANK_ZERO_PRIORITY - priority, dueAt, id);
    }

    Task snapshot() {
        return new Task(
                id,
                record.type(),
                record.queue(),
                status.isFinal() ? record.priority() : priority,
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
                Optional.ofNullable(result),
                Optional.ofNullable(requeuedFrom));
    }

    List<TaskFailure> failures() {
        return List.copyOf(failures);
    }

    boolean replaces(TaskId ended) {
        return ended.equals(requeuedFrom);
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
