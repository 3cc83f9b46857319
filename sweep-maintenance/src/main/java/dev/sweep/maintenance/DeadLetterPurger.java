package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Deletes dead letters that are past their retention, oldest first. */
final class DeadLetterPurger implements Chore {

    private static final int ROWS = 1_000;

    private final RetentionPolicy policy;

    DeadLetterPurger(RetentionPolicy policy) {
        this.policy = policy;
    }

    @Override
    public String name() {
        return "old-dead-letters";
    }

    @Override
    public Duration interval() {
        return Duration.ofHours(1);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        MaintenanceStatements statements = new MaintenanceStatements(context.database());
        OffsetDateTime before =
                context.now().minus(policy.of(context.database()).deadLetters()).atOffset(ZoneOffset.UTC);
        Count count = new Count();
        boolean hasMore = Batches.run(context, () -> {
            long purged = context.database()
                    .inTransaction(
                            Limits.OF_ROWS,
                            sql -> sql.fetchSingle(statements.purgeDeadLetters(), before, ROWS)
                                    .get(0, Long.class));
            count.add(purged);
            // One that someone holds makes a full batch less than full.
            return purged > 0;
        });
        return count.result(hasMore);
    }
}
