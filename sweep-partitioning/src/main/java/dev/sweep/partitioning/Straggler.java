package dev.sweep.partitioning;

import dev.sweep.TaskId;
import java.util.Locale;

/**
 * A task that keeps its range from being retired.
 *
 * @param place where it is
 */
public record Straggler(TaskId id, Place place) {

    /** Where a task is that is not finished long enough. */
    public enum Place {
        /** Waits to be claimed, also for a due time far ahead. */
        WAITING,
        /** An attempt of it is under way. */
        RUNNING,
        /** Has neither an outcome nor an entry anywhere: nobody will run it. Look at it, then requeue or delete it. */
        NOWHERE,
        /** Has failed, and is not among the dead letters yet. */
        FAILED,
        /** Ended later than the retention allows. */
        ENDED_LATELY;

        /** As people and JSON say it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    @Override
    public String toString() {
        return id + " (" + place.word() + ")";
    }
}
