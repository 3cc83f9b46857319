package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Deletes succeeded and cancelled tasks whose end is past their retention, with outcome, failures and key in one transaction.
 * Walks the outcomes by primary key, oldest first, and starts over at the end; no index serves it alone. With partitions on, it
 * walks only the leaf without a lower bound, since whole ranges go by retention. Failed tasks are dead letters and not its
 * business; outcomes without a task are told and left.
 */
final class FinishedPurger implements Chore {

    /** Outcomes a transaction looks at. */
    private static final int ROWS = 5_000;

    private static final int MOST_LEFT_COUNTED = 100_000;

    private final Retention retention;

    FinishedPurger(Retention retention) {
        this.retention = retention;
    }

    @Override
    public String name() {
        return "old-tasks";
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(10);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        OutcomeWalk from = context.position().map(OutcomeWalk::parse).orElse(OutcomeWalk.START);
        Walker walker = new Walker(context.database(), retention, from);
        boolean hasMore = Batches.run(context, walker::next);
        ChoreResult result = hasMore
                ? ChoreResult.more(walker.deleted)
                        .at(walker.walk.toString())
                        .noting(walker.left() + " outcomes are left to look at")
                : ChoreResult.done(walker.deleted);
        String odd = walker.walk.oddNote();
        return odd.isEmpty()
                ? result
                : result.noting(result.note().map(note -> note + "; ").orElse("") + odd);
    }

    private static final class Walker {

        private final StoreDatabase database;
        private final MaintenanceStatements statements;
        private final long succeededMicros;
        private final long cancelledMicros;
        private OutcomeWalk walk;
        private long deleted;

        Walker(StoreDatabase database, Retention retention, OutcomeWalk walk) {
            this.database = database;
            this.statements = new MaintenanceStatements(database);
            this.succeededMicros = retention.succeeded().toNanos() / 1_000;
            this.cancelledMicros = retention.cancelled().toNanos() / 1_000;
            this.walk = walk;
        }

        /** Returns whether there is more. */
        boolean next() {
            return database.inTransaction(Limits.OF_ROWS, this::step);
        }

        private boolean step(DSLContext sql) {
            sql.execute(statements.onePlan());
            String leaf = leaf(sql);
            if (leaf == null) {
                return false;
            }
            Record looked = sql.fetchSingle(statements.lookAtOutcomes(leaf), walk.position(), shortestMicros(), ROWS);
            long count = looked.get("looked", Long.class);
            if (count == 0) {
                return false;
            }
            long last = looked.get("last_id", Long.class);
            deleted += delete(sql, leaf, last);
            walk = walk.on(last, looked.get("odd", Long.class), looked.get("odd_ids", String.class));
            return count >= ROWS;
        }

        private long delete(DSLContext sql, String leaf, long last) {
            Long[] finished =
                    ids(sql, statements.lockFinished(leaf), walk.position(), last, succeededMicros, cancelledMicros);
            if (finished.length == 0) {
                return 0;
            }
            Long[] keyed = ids(sql, statements.lockKeysOf(), (Object) finished);
            return sql.fetchSingle(statements.deleteFinished(), finished, keyed).get(0, Long.class);
        }

        private static Long[] ids(DSLContext sql, String statement, Object... parameters) {
            return sql.fetch(statement, parameters)
                    .map(row -> row.get(0, Long.class))
                    .toArray(Long[]::new);
        }

        private @Nullable String leaf(DSLContext sql) {
            Record row = sql.fetchOne(statements.oldestLeaf());
            return row == null ? null : row.get(0, String.class);
        }

        private long shortestMicros() {
            return Math.min(succeededMicros, cancelledMicros);
        }

        private String left() {
            long left = database.inTransaction(Limits.OF_ROWS, sql -> {
                String leaf = leaf(sql);
                return leaf == null
                        ? 0L
                        : sql.fetchSingle(
                                        statements.countLeft(leaf),
                                        walk.position(),
                                        shortestMicros(),
                                        MOST_LEFT_COUNTED + 1)
                                .get(0, Long.class);
            });
            return left > MOST_LEFT_COUNTED ? "more than " + MOST_LEFT_COUNTED : Long.toString(left);
        }
    }
}
