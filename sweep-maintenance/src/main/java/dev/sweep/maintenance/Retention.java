package dev.sweep.maintenance;

import dev.sweep.jooq.JooqTaskStore;
import java.time.Duration;

/**
 * How long what is over stays in the database, for every process that maintains it.
 *
 * @param succeeded succeeded tasks, from their end
 * @param cancelled cancelled tasks, from their end
 * @param deadLetters failed tasks, from their end
 * @param oldPartitions what becomes of the tables of partitions that are over
 */
public record Retention(Duration succeeded, Duration cancelled, Duration deadLetters, Fate oldPartitions) {

    /** What becomes of the tables of a retired partition. */
    public enum Fate {
        /** They are dropped. */
        DROP,
        /** They stay in the schema, as tables of their own. */
        KEEP,
        /** They are written to a folder, then dropped. */
        EXPORT
    }

    static final Retention DEFAULT =
            new Retention(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(90), Fate.DROP);

    /** Shorter ones are for rows: a partition is not looked at in the minute after its end. */
    private static final Duration SHORTEST_OF_PARTITIONS = Duration.ofMinutes(1);

    /**
     * As it holds now in an installation, with defaults for what nobody has set: for those who retire partitions by hand,
     * so that they don't take away what was to stay. One read, in a transaction of its own.
     */
    public static Retention of(JooqTaskStore store) {
        return RetentionPolicy.STORED.of(store.database());
    }

    /** How long after the end of its last task a whole partition may go; a minute at least. */
    public Duration ofPartitions() {
        Duration longest = succeeded.compareTo(cancelled) < 0 ? cancelled : succeeded;
        return longest.compareTo(SHORTEST_OF_PARTITIONS) < 0 ? SHORTEST_OF_PARTITIONS : longest;
    }
}
