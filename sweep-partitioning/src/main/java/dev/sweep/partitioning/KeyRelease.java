package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.util.Objects;

/** Releases the dedup keys of a range that has gone, a batch a transaction, from where the last batch ended. */
final class KeyRelease {

    private static final int BATCH = 5_000;

    private final StoreDatabase database;
    private final RetirementStatements statements;
    private final RetirementLog log;

    KeyRelease(StoreDatabase database, RetirementStatements statements, RetirementLog log) {
        this.database = database;
        this.statements = statements;
        this.log = log;
    }

    /** One batch; the stage is the next one when there are no more. */
    void next(Retirement retirement) {
        database.inTransaction(Limits.OF_ROWS, sql -> {
            long from = Objects.requireNonNullElse(retirement.position(), Long.MIN_VALUE);
            sql.fetch(statements.lockKeys(retirement.name()), from, BATCH);
            Long last = sql.fetchSingle(statements.releaseKeys(retirement.name()), from, BATCH)
                    .get(0, Long.class);
            return last == null
                    ? log.move(sql, retirement, RetirementStage.RELEASED, null)
                    : sql.execute(statements.keysReleasedTo(), last, retirement.name()) == 1;
        });
    }
}
