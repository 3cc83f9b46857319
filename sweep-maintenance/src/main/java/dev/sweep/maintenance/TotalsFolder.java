package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;

/** Folds the rows behind the totals of {@code task_stats} into one per status, so that adding them up stays cheap. */
final class TotalsFolder implements Chore {

    private static final int ROWS = 10_000;
    /** One per status, and some for outcomes since the last fold. */
    private static final int FEW = 9;

    @Override
    public String name() {
        return "totals";
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(30);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        Count count = new Count();
        boolean hasMore = Batches.run(context, () -> {
            long folded = fold(context.database());
            count.add(folded);
            return folded >= ROWS;
        });
        return count.result(hasMore);
    }

    private static long fold(StoreDatabase database) {
        MaintenanceStatements statements = new MaintenanceStatements(database);
        return database.inTransaction(Limits.OF_ROWS, sql -> {
            long rows = sql.fetchSingle(statements.countTotals(), FEW + 1).get(0, Long.class);
            return rows <= FEW
                    ? 0L
                    : sql.fetchSingle(statements.foldTotals(), ROWS).get(0, Long.class);
        });
    }
}
