package dev.sweep.maintenance;

import java.time.Duration;

/**
 * How long what is over stays in the database.
 *
 * @param succeeded succeeded tasks, from their end
 * @param cancelled cancelled tasks, from their end
 * @param deadLetters failed tasks, from their end
 * @param oldPartitions what becomes of the tables of partitions that are over
 */
record Retention(Duration succeeded, Duration cancelled, Duration deadLetters, Fate oldPartitions) {

    /** What becomes of the tables of a retired partition. */
    enum Fate {
        DROP,
        KEEP,
        EXPORT
    }

    static final Retention DEFAULT =
            new Retention(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(90), Fate.DROP);

    /** A whole range may go when none of its tasks has to stay. */
    Duration longestOfFinished() {
        return succeeded.compareTo(cancelled) < 0 ? cancelled : succeeded;
    }
}
