package dev.sweep.maintenance;

import java.time.Duration;

/**
 * How long what is over stays in the database.
 *
 * @param succeeded succeeded tasks, from their end
 * @param cancelled cancelled tasks, from their end
 * @param deadLetters failed tasks, from their end
 * @param workers worker processes, since they were last seen
 */
record Retention(Duration succeeded, Duration cancelled, Duration deadLetters, Duration workers) {

    static final Retention DEFAULT =
            new Retention(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(90), Duration.ofDays(1));

    /** A whole range may go when none of its tasks has to stay. */
    Duration longestOfFinished() {
        return succeeded.compareTo(cancelled) < 0 ? cancelled : succeeded;
    }

    Duration shortestOfFinished() {
        return succeeded.compareTo(cancelled) < 0 ? succeeded : cancelled;
    }
}
