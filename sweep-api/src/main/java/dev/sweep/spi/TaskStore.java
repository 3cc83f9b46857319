package dev.sweep.spi;

import dev.sweep.Enqueued;
import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * SPI: where tasks live. One verb per move of a task's life; each is atomic, durable when it returns, and safe under any
 * number of processes. A move away from an attempt is accepted only while the store knows the {@link Attempt}; what is
 * not accepted changed nothing. Every implementation passes {@code TaskStoreContract} of {@code sweep-testing}.
 *
 * <p>Time is the store's own: due times, leases and retention never use a caller's clock. Errors are
 * {@link dev.sweep.SweepException}s: {@link dev.sweep.StoreUnavailableException} for what may pass by waiting,
 * {@link dev.sweep.TransactionConflictException} if other transactions stood in the way of one of the tasks, so that nothing
 * was changed: the others can be moved without it.
 */
public interface TaskStore extends AutoCloseable {

    /** Fails with a {@link dev.sweep.SchemaException} that says what to do unless the store can be worked with. */
    void verify();

    /**
     * Stores tasks in a transaction of its own: all or none.
     *
     * @return one answer per record, in order
     */
    List<Enqueued> enqueue(List<TaskRecord> tasks);

    /**
     * Stores tasks in the caller's transaction, which it neither commits nor rolls back.
     *
     * @return one answer per record, in order
     */
    List<Enqueued> enqueue(Connection tx, List<TaskRecord> tasks);

    /** Takes due tasks of unpaused queues for one worker, under one new lease. */
    Claim claim(ClaimRequest request);

    /** Ends attempts well. Returns those that were accepted. */
    Set<Attempt> complete(Collection<Completion> completions);

    /** Ends attempts that failed: each task waits for its next attempt or has failed. Returns those accepted. */
    Set<Attempt> fail(Collection<Failure> failures);

    /** Ends attempts that want to run later. Returns those accepted. */
    Set<Attempt> snooze(Collection<Snooze> snoozes);

    /** Ends attempts whose task is no longer wanted. Returns those accepted. */
    Set<Attempt> cancel(Collection<Cancellation> cancellations);

    /** Gives back attempts that did not start: each task waits again at its old place. Returns those accepted. */
    Set<Attempt> release(Collection<Attempt> attempts);

    /**
     * Takes back attempts that came to nothing through no word of their handler, by the rule of {@link #reclaim} but whatever
     * their lease: others of the same claim may go on. Skips what others are changing.
     */
    Reclaimed lose(Collection<Attempt> attempts);

    /** Extends leases that still hold something and tells which attempts are gone. */
    Heartbeat heartbeat(HeartbeatRequest request);

    /**
     * Takes back attempts whose lease lapsed or is missing, at most {@code limit}: each task waits again with one more
     * loss, or has failed if that is over its limit. Skips what others are changing.
     *
     * @param leaseDuration the grace after a restart of the store, in which leases may be old through no fault of theirs
     */
    Reclaimed reclaim(Duration leaseDuration, int limit);

    /** The task as it stands now; empty if there is none. */
    Optional<Task> find(TaskId id);

    /** The tasks that match, newest first. */
    List<Task> list(TaskQuery query);

    /** One row per status. */
    List<StatusCount> counts();

    /** Cancels a task that has not ended. Returns the status it has now; empty if there is no such task. */
    Optional<TaskStatus> cancel(TaskId id);

    /** No claim takes from this queue until it is resumed. */
    void pauseQueue(String queue);

    /** Claims take from this queue again. */
    void resumeQueue(String queue);

    @Override
    void close();
}
