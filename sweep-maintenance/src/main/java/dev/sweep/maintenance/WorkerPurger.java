package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;

/** Forgets worker processes that are long gone. */
final class WorkerPurger implements Chore {

    private static final int ROWS = 1_000;

    private final Duration retention;

    WorkerPurger(Duration retention) {
        this.retention = retention;
    }

    @Override
    public String name() {
        return "workers";
    }

    @Override
    public Duration interval() {
        return Duration.ofHours(1);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        MaintenanceStatements statements = new MaintenanceStatements(context.database());
        long micros = retention.toNanos() / 1_000;
        Count count = new Count();
        boolean hasMore = Batches.run(context, () -> {
            int purged = context.database()
                    .inTransaction(Limits.OF_ROWS, sql -> sql.execute(statements.purgeWorkers(), micros, ROWS));
            count.add(purged);
            return purged >= ROWS;
        });
        return count.result(hasMore);
    }
}
