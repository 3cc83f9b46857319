package dev.sweep;

import java.time.Duration;

/** How long a dedup key protects its task. No scope outlives the task's own row. */
public sealed interface DedupScope {

    /** As long as the task's row exists, whatever became of the task: the default. */
    record UntilRetention() implements DedupScope {}

    /** Until the task has succeeded, failed for good or been cancelled. */
    record UntilFinished() implements DedupScope {}

    /**
     * For a fixed time after the enqueue, by the database's clock.
     *
     * @param length 1 ms to 3,650 days
     */
    record Window(Duration length) implements DedupScope {
        public Window {
            Bounds.duration("dedup window", length, Duration.ofMillis(1), Bounds.MAX_DELAY);
        }
    }
}
