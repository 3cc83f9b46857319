package dev.sweep.spi;

import dev.sweep.TaskChange;
import dev.sweep.TaskFailure;
import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * SPI: a store in which people can change tasks by hand. Each change takes any number of ids, is one short transaction,
 * judges every task on its own by the place where it finds it, and answers once per id, in any order. It is safe against
 * claims, outcomes, reclaims and its own repetition, and bounded: a task that another transaction holds for long is
 * answered as {@link TaskChange.Kind#BUSY}.
 */
public interface AdminStore {

    /** Cancels tasks that have not ended. */
    List<TaskChange> cancel(Set<TaskId> ids);

    /**
     * Makes a new task, due now, of each that has failed or was cancelled, and removes the old one. The new task owns the
     * dedup key if the old one still did, else none; keeps the newest 100 failures; and knows the id that it replaced, by
     * which a repetition finds it.
     */
    List<TaskChange> requeue(Set<TaskId> ids);

    /**
     * Deletes tasks that have failed, with all that is known of them; the dedup key is free if it still was the task's. They
     * count no more.
     */
    List<TaskChange> delete(Set<TaskId> ids);

    /** Gives waiting tasks another priority; they keep it until they end. */
    List<TaskChange> reprioritise(Set<TaskId> ids, int priority);

    /**
     * Gives waiting tasks another due time.
     *
     * @param dueAt null: now, by the store's clock
     */
    List<TaskChange> reschedule(Set<TaskId> ids, @Nullable Instant dueAt);

    /** The tasks that match now, oldest first, at most {@code limit}. */
    TaskSelection select(TaskFilter filter, int limit);

    /** The failed and lost runs of a task that are known, oldest first; those before a requeue included. */
    List<TaskFailure> failures(TaskId id);

    /** The queues that no claim takes from, in any order. */
    Set<String> pausedQueues();
}
