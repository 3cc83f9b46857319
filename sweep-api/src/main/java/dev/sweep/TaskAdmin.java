package dev.sweep;

import dev.sweep.spi.AdminStore;
import dev.sweep.spi.PresenceStore;
import dev.sweep.spi.WakeUp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What people do to tasks by hand: cancel, requeue, delete, reprioritise, reschedule, one by one or all that match a filter. Thread-safe.
 *
 * <p>Every change judges each task by the place where it finds it, so it is safe against workers and against its own
 * repetition. The changes of a selection go in batches of a transaction each; an interrupt ends them between two, and
 * running them again does what is left.
 */
public final class TaskAdmin {

    private static final int LOOKS = 40;
    private static final Duration PAUSE = Duration.ofMillis(25);

    private final AdminStore store;
    private final Announcements announcements;

    TaskAdmin(AdminStore store, Announcements announcements) {
        this.store = store;
        this.announcements = announcements;
    }

    /** Like {@link Sweep#cancel}; tells too whether this call did it, and answers instead of waiting for who holds the task. */
    public TaskChange cancel(TaskId id) {
        return one(() -> cancel(Set.of(id)));
    }

    /**
     * Makes a new task of one that has failed or was cancelled: due now, with all its retries, under a new id; the old one
     * is removed, and its failures stay with the new one. Repeating it answers with the same new task.
     */
    public TaskChange requeue(TaskId id) {
        return one(() -> requeue(Set.of(id)));
    }

    /**
     * Deletes a task that has failed, with its payload and failures, for ever; its dedup key is free again. Others are left
     * alone.
     */
    public TaskChange delete(TaskId id) {
        return one(() -> store.delete(Set.of(id)));
    }

    /** Gives a waiting task another priority, 1 to 10; one that runs is left alone. */
    public TaskChange reprioritise(TaskId id, int priority) {
        int checked = Bounds.priority(priority);
        return one(() -> reprioritise(Set.of(id), checked));
    }

    /** Gives a waiting task another due time; one that runs is left alone. */
    public TaskChange reschedule(TaskId id, Instant dueAt) {
        Instant checked = Bounds.dueAt(dueAt);
        return one(() -> reschedule(Set.of(id), checked));
    }

    /** Makes a waiting task due now, such as one that waits for its next attempt. */
    public TaskChange retryNow(TaskId id) {
        return one(() -> reschedule(Set.of(id), null));
    }

    /** The failed and lost runs of a task that are known, oldest first; those before a requeue included. */
    public List<TaskFailure> failures(TaskId id) {
        return store.failures(id);
    }

    /** The queues that no worker claims from, in order. */
    public Set<String> pausedQueues() {
        return new TreeSet<>(store.pausedQueues());
    }

    /** The workers that run, or ran not long ago, the latest start first; none if the store doesn't show them. */
    public List<KnownWorker> workers() {
        return store instanceof PresenceStore presences ? presences.workers() : List.of();
    }

    /** The tasks that match now, oldest first, at most {@link TaskSelection#MAX_TASKS}. Changes nothing. */
    public TaskSelection select(TaskFilter filter) {
        return store.select(Bounds.given("filter", filter), TaskSelection.MAX_TASKS);
    }

    /**
     * Cancels those of the selection that have not ended.
     *
     * @param progress told after each batch what has been done so far
     */
    public BulkResult cancelAll(TaskSelection selection, Consumer<BulkResult> progress) throws InterruptedException {
        return all(selection, progress, this::cancel);
    }

    /** Like {@link #requeue}, for those of the selection that have failed or were cancelled. */
    public BulkResult requeueAll(TaskSelection selection, Consumer<BulkResult> progress) throws InterruptedException {
        return all(selection, progress, this::requeue);
    }

    /** Like {@link #delete}, for those of the selection that have failed. */
    public BulkResult deleteAll(TaskSelection selection, Consumer<BulkResult> progress) throws InterruptedException {
        return all(selection, progress, store::delete);
    }

    /** Like {@link #reprioritise}, for those of the selection that wait. */
    public BulkResult reprioritiseAll(TaskSelection selection, int priority, Consumer<BulkResult> progress)
            throws InterruptedException {
        int checked = Bounds.priority(priority);
        return all(selection, progress, ids -> reprioritise(ids, checked));
    }

    /** Like {@link #reschedule}, for those of the selection that wait. */
    public BulkResult rescheduleAll(TaskSelection selection, Instant dueAt, Consumer<BulkResult> progress)
            throws InterruptedException {
        Instant checked = Bounds.dueAt(dueAt);
        return all(selection, progress, ids -> reschedule(ids, checked));
    }

    /** Like {@link #retryNow}, for those of the selection that wait. */
    public BulkResult retryAllNow(TaskSelection selection, Consumer<BulkResult> progress) throws InterruptedException {
        return all(selection, progress, ids -> reschedule(ids, null));
    }

    private List<TaskChange> cancel(Set<TaskId> ids) {
        return announced(store.cancel(ids), new WakeUp.TasksCancelled());
    }

    private List<TaskChange> requeue(Set<TaskId> ids) {
        return announced(store.requeue(ids), new WakeUp.TasksReturnedAnywhere());
    }

    private List<TaskChange> reprioritise(Set<TaskId> ids, int priority) {
        return announced(store.reprioritise(ids, priority), new WakeUp.TasksReturnedAnywhere());
    }

    private List<TaskChange> reschedule(Set<TaskId> ids, @Nullable Instant dueAt) {
        return announced(store.reschedule(ids, dueAt), new WakeUp.TasksReturnedAnywhere());
    }

    private List<TaskChange> announced(List<TaskChange> changes, WakeUp wakeUp) {
        if (changes.stream().anyMatch(change -> change.kind() == TaskChange.Kind.CHANGED)) {
            announcements.announce(wakeUp);
        }
        return changes;
    }

    private static BulkResult all(
            TaskSelection selection, Consumer<BulkResult> progress, Function<Set<TaskId>, List<TaskChange>> change)
            throws InterruptedException {
        return new BulkChange(change, progress).run(selection);
    }

    /** A claim holds a task for milliseconds, so one that is busy is looked at again; for about a second. */
    private static TaskChange one(Supplier<List<TaskChange>> change) {
        TaskChange answer = change.get().get(0);
        for (int look = 1; look < LOOKS && answer.kind() == TaskChange.Kind.BUSY; look++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            answer = change.get().get(0);
        }
        return answer;
    }
}
