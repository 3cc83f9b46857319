package dev.sweep;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of one task that someone asked to change. Asking again is safe: it changes only what still stands as it must.
 *
 * @param status the status that the task has now; empty if there is none (any more), if it was requeued before, or if it is held
 * @param requeuedAs the task that stands for a requeued one
 */
public record TaskChange(TaskId id, Kind kind, Optional<TaskStatus> status, Optional<TaskId> requeuedAs) {

    /** What happened. */
    public enum Kind {
        /** It was changed by this call. */
        CHANGED,
        /** It was left alone: its status does not allow the change, or it is so already. */
        UNCHANGED,
        /** It was requeued before this call; {@link #requeuedAs} stands for it. */
        REQUEUED_BEFORE,
        /** It was not found: there never was one, it was deleted, its retention is over, or it was requeued and that task again. */
        NO_SUCH_TASK,
        /** Another transaction holds it; nothing was changed, and a later call may well succeed. */
        BUSY
    }

    public static TaskChange changed(TaskId id, TaskStatus now) {
        return new TaskChange(id, Kind.CHANGED, Optional.of(now), Optional.empty());
    }

    public static TaskChange requeued(TaskId id, TaskId as) {
        return new TaskChange(id, Kind.CHANGED, Optional.of(TaskStatus.PENDING), Optional.of(as));
    }

    /** Changed by this call, and gone. */
    public static TaskChange deleted(TaskId id) {
        return new TaskChange(id, Kind.CHANGED, Optional.empty(), Optional.empty());
    }

    public static TaskChange requeuedBefore(TaskId id, TaskId as) {
        return new TaskChange(id, Kind.REQUEUED_BEFORE, Optional.empty(), Optional.of(as));
    }

    /**
     * Left alone, or not found.
     *
     * @param now null: there is no such task
     */
    public static TaskChange unchanged(TaskId id, @Nullable TaskStatus now) {
        return new TaskChange(
                id, now == null ? Kind.NO_SUCH_TASK : Kind.UNCHANGED, Optional.ofNullable(now), Optional.empty());
    }

    public static TaskChange busy(TaskId id) {
        return new TaskChange(id, Kind.BUSY, Optional.empty(), Optional.empty());
    }
}
