package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Deletes succeeded and cancelled tasks whose end is past their retention, with outcome, failures and key in one transaction.
 * Walks the outcomes by primary key, oldest first, and starts over at the end; no index serves it alone. Of
 * partitions it walks those that do not go as a whole, and none that is to be kept or exported. Failed tasks are dead letters
 * and not its business; outcomes without a task are told and left.
 */
final class FinishedPurger implements Chore {

    /** Outcomes a transaction looks at. */
    private static final int ROWS = 5_000;

    private static final int MOST_LEFT_COUNTED = 100_000;

    private final RetentionPolicy policy;

    FinishedPurger(RetentionPolicy policy) {
        this.policy = policy;
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
        Walker walker = new Walker(context.database(), policy.of(context.database()), from);
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
        private final boolean isDropped;
        private OutcomeWalk walk;
        private long deleted;

        Walker(StoreDatabase database, Retention retention, OutcomeWalk walk) {
            this.database = database;
            this.statements = new MaintenanceStatements(database);
            this.succeededMicros = retention.succeeded().toNanos() / 1_000;
            this.cancelledMicros = retention.cancelled().toNanos() / 1_000;
            this.isDropped = retention.oldPartitions() == Retention.Fate.DROP;
            this.walk = walk;
        }

        /** Returns whether there is more. */
        boolean next() {
            return database.inTransaction(Limits.OF_ROWS, this::step);
        }

        private boolean step(DSLContext sql) {
            sql.execute(statements.onePlan());
            List<Leaf> left = leavesLeft(sql);
            for (Leaf leaf : left) {
                Record looked = sql.fetchSingle(
                        statements.lookAtOutcomes(leaf.name()), leaf.after(walk.position()), shortestMicros(), ROWS);
                long count = looked.get("looked", Long.class);
                if (count > 0) {
                    long last = looked.get("last_id", Long.class);
                    deleted += delete(sql, leaf, last);
                    walk = walk.on(last, looked.get("odd", Long.class), looked.get("odd_ids", String.class));
                    return count >= ROWS || !leaf.equals(left.get(left.size() - 1));
                }
            }
            return false;
        }

        private long delete(DSLContext sql, Leaf leaf, long last) {
            Long[] finished = ids(
                    sql,
                    statements.lockFinished(leaf.name()),
                    leaf.after(walk.position()),
                    last,
                    succeededMicros,
                    cancelledMicros);
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

        /** Those with ids that the walk has not come to. */
        private List<Leaf> leavesLeft(DSLContext sql) {
            sql.execute(statements.plainDates());
            return sql.fetch(statements.leavesToWalk(), isDropped, Math.max(succeededMicros, cancelledMicros)).stream()
                    .map(row -> new Leaf(
                            row.get("leaf", String.class),
                            row.get("from_id", Long.class),
                            row.get("to_id", Long.class)))
                    .filter(leaf -> leaf.to() > walk.position() + 1)
                    .toList();
        }

        private long shortestMicros() {
            return Math.min(succeededMicros, cancelledMicros);
        }

        private String left() {
            long left = database.inTransaction(
                    Limits.OF_ROWS,
                    sql -> leavesLeft(sql).stream()
                            .mapToLong(leaf -> sql.fetchSingle(
                                            statements.countLeft(leaf.name()),
                                            leaf.after(walk.position()),
                                            shortestMicros(),
                                            MOST_LEFT_COUNTED + 1)
                                    .get(0, Long.class))
                            .sum());
            return left > MOST_LEFT_COUNTED ? "more than " + MOST_LEFT_COUNTED : Long.toString(left);
        }
    }

    /**
     * A partition of the outcomes.
     *
     * @param from the first id that can lie in it
     * @param to the first one after it
     */
    private record Leaf(String name, long from, long to) {

        /** Where a walk that has come so far goes on in it. */
        long after(long position) {
            return Math.max(position, from - 1);
        }
    }
}
