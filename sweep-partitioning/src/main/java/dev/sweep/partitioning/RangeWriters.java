package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Looks for transactions that have written to a range, or are about to: what they wrote is not to be seen yet. */
final class RangeWriters {

    /** Statements that touch many leaves lock all of them, for moments. */
    private static final int LOOKS = 20;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final StoreDatabase database;
    private final RetirementStatements statements;

    RangeWriters(StoreDatabase database, RetirementStatements statements) {
        this.database = database;
        this.statements = statements;
    }

    /** Why the range stays; empty if at one moment nobody was at it. Waits about a second for that. */
    Optional<StayingRange> whyNot(PartitionRange range) {
        for (int look = 1; look <= LOOKS; look++) {
            if (!database.inTransaction(
                    Limits.OF_ROWS,
                    sql -> sql.fetchSingle(statements.hasWriters(range.name())).get(0, Boolean.class))) {
                return Optional.empty();
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        return Optional.of(new StayingRange(
                range.name(),
                "an open transaction has written to it, or is about to; end it, or wait (pg_locks, and"
                        + " pg_prepared_xacts, name it)",
                List.of()));
    }
}
