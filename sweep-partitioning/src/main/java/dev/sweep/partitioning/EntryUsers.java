package dev.sweep.partitioning;

import dev.sweep.TransactionConflictException;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for claims that began before a range was attached again. Without a lock, as CREATE INDEX CONCURRENTLY waits: a lock on
 * all entries would have to find a moment in which nobody enqueues, and hold up whoever comes behind it.
 */
final class EntryUsers {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final StoreDatabase database;
    private final RetirementStatements statements;
    private final BooleanSupplier isOver;

    /** @param isOver whether to end early */
    EntryUsers(StoreDatabase database, RetirementStatements statements, BooleanSupplier isOver) {
        this.database = database;
        this.statements = statements;
        this.isOver = isOver;
    }

    /**
     * Waits until those have ended that write to entries now; whoever comes later sees what is attached.
     *
     * @throws TransactionConflictException if they take longer than half a minute, or the run is to end
     */
    void awaitThoseOfNow() {
        long since = System.nanoTime();
        Set<String> left = now();
        while (!left.isEmpty()) {
            if (isOver.getAsBoolean()
                    || System.nanoTime() - since > PATIENCE.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new TransactionConflictException(left.size()
                        + " transactions that write to task_ready are open since before the range was attached again; end"
                        + " them, or wait (pg_locks, and pg_prepared_xacts, name them)");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            left.retainAll(now());
        }
    }

    private Set<String> now() {
        return database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.fetch(statements.usersOfEntries()).intoSet(row -> row.get("transaction", String.class)));
    }
}
