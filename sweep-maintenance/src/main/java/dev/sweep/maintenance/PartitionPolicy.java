package dev.sweep.maintenance;

import dev.sweep.jooq.JooqTaskStore;
import java.time.Duration;

/**
 * What holds in an installation for partitions that are over: kept in the database, set by whoever starts maintenance, and gone
 * by in every process. For those who retire partitions by hand, so that they do not take away what was to stay.
 *
 * @param finishedFor how long a finished task stays after its end, at the longest; a minute at least
 * @param fate what becomes of the tables
 */
public record PartitionPolicy(Duration finishedFor, Fate fate) {

    /** Shorter ones are for rows: a partition is not looked at in the minute after its end. */
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    /** What becomes of the tables of a partition that is over. */
    public enum Fate {
        /** They are dropped. */
        DROP,
        /** They stay as tables of their own. */
        KEEP,
        /** They are written to a folder, then dropped. Which folder, each process says for itself. */
        EXPORT
    }

    /** As it holds now, with defaults for what nobody has set. One read, in a transaction of its own. */
    public static PartitionPolicy of(JooqTaskStore store) {
        return of(RetentionPolicy.STORED.of(store.database()));
    }

    static PartitionPolicy of(Retention retention) {
        Duration longest = retention.longestOfFinished();
        Duration finishedFor = longest.compareTo(SHORTEST) < 0 ? SHORTEST : longest;
        return new PartitionPolicy(
                finishedFor, Fate.valueOf(retention.oldPartitions().name()));
    }
}
