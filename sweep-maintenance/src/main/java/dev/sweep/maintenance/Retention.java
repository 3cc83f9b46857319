package dev.sweep.maintenance;

import java.time.Duration;

/**
 * API: how long what is over stays in the database, for every process that maintains it.
 *
 * @param succeeded succeeded tasks, from their end
 * @param cancelled cancelled tasks, from their end
 * @param deadLetters failed tasks, from their end
 * @param oldPartitions what becomes of the tables of partitions that are over
 */
public record Retention(Duration succeeded, Duration cancelled, Duration deadLetters, Fate oldPartitions) {

    /** What becomes of the tables of a retired partition. */
    public enum Fate {
        DROP,
        /** They stay in the schema, as tables of their own. */
        KEEP,
        /** They are written to a folder, then dropped. */
        EXPORT
    }

    static final Retention DEFAULT =
            new Retention(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(90), Fate.DROP);

    /** A whole range may go when none of its tasks has to stay. */
    Duration longestOfFinished() {
        return succeeded.compareTo(cancelled) < 0 ? cancelled : succeeded;
    }
}
