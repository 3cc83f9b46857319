package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;

/** Moves tasks that have failed for good to the dead letters, so that nothing of them is left in a partition. */
final class DeadLetterMover implements Chore {

    private static final int ROWS = 500;

    @Override
    public String name() {
        return "dead-letters";
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(1);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        MaintenanceStatements statements = new MaintenanceStatements(context.database());
        Count count = new Count();
        boolean hasMore = Batches.run(context, () -> {
            long moved = context.database()
                    .inTransaction(
                            Limits.OF_ROWS,
                            sql -> sql.fetchSingle(statements.moveDeadLetters(), ROWS)
                                    .get(0, Long.class));
            count.add(moved);
            // One that someone holds makes a batch smaller than it might be, with a backlog behind it.
            return moved > 0;
        });
        return count.result(hasMore);
    }
}
