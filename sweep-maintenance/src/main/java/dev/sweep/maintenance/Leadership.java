package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Who maintains a schema: the holder of its one leased row, by the database's clock. No session is pinned, so it works behind
 * poolers, and a leader that froze finds out from the row, whose term has grown. Not thread-safe but for
 * {@link #confirm} and {@link #isHeld}.
 */
final class Leadership {

    private static final long NONE = 0;

    private final StoreDatabase database;
    private final MaintenanceStatements statements;
    private final String holder;
    private final Duration leaseDuration;
    private volatile long term = NONE;
    private volatile long heldUntilNanos;
    private volatile @Nullable String hindrance;

    Leadership(StoreDatabase database, MaintenanceStatements statements, String holder, Duration leaseDuration) {
        this.database = database;
        this.statements = statements;
        this.holder = holder;
        this.leaseDuration = leaseDuration;
    }

    /**
     * Takes the lead if nobody has it, or keeps it. Returns whether this process leads: never if its role can't do what
     * maintenance does, and would keep those from it that can. One transaction.
     */
    boolean hold() {
        long sentAt = System.nanoTime();
        Optional<Record> row = database.inTransaction(Limits.OF_ROWS, sql -> {
            hindrance = findHindrance(sql);
            return hindrance == null
                    ? sql.fetchOptional(statements.lead(), holder, leaseDuration.toNanos() / 1_000)
                    : Optional.empty();
        });
        term = row.map(led -> led.get("term", Long.class)).orElse(NONE);
        heldUntilNanos = sentAt + leaseDuration.toNanos();
        return isHeld();
    }

    /** Looks now. One transaction. */
    Optional<String> findHindrance() {
        return database.inTransaction(Limits.OF_ROWS, sql -> Optional.ofNullable(findHindrance(sql)));
    }

    private @Nullable String findHindrance(DSLContext sql) {
        Record row = sql.fetchSingle(statements.owner());
        return row.get("is_owner", Boolean.class)
                ? null
                : "role " + row.get("role", String.class) + " lacks the rights of " + row.get("owner", String.class)
                        + ", who owns the tables of schema " + database.schema()
                        + ", and so never leads; run maintenance as their owner";
    }

    /** Why this process does not lead, even if nobody else does, as {@link #hold} found; no round trip. */
    Optional<String> hindrance() {
        return Optional.ofNullable(hindrance);
    }

    /** Whether this process led when it last asked, and the lease has not lapsed since; no round trip. */
    boolean isHeld() {
        return term != NONE && System.nanoTime() - heldUntilNanos < 0;
    }

    /** Whether this process still leads; until the end of the transaction nobody can take over. */
    boolean confirm(DSLContext sql) {
        return term != NONE && sql.fetchOne(statements.confirmLead(), holder, term) != null;
    }

    /** Lets another process lead at once; does nothing if this one doesn't. One transaction. */
    void release() {
        long led = term;
        term = NONE;
        if (led != NONE) {
            database.inTransaction(Limits.OF_ROWS, sql -> sql.execute(statements.releaseLead(), holder, led));
        }
    }
}
