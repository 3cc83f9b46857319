package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Deletes dedup keys that protect nothing any more: an enqueue would take them over. Walks the keys in their order, some at a
 * time; live ones are only read. While a partition is out of sight, keys without a task stay: theirs may be in it.
 */
final class KeyPurger implements Chore {

    private static final int ROWS = 2_000;

    @Override
    public String name() {
        return "dedup-keys";
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(15);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        Walk walk = new Walk(context.database(), context.position().orElse(""));
        boolean hasMore = Batches.run(context, walk::next);
        return hasMore ? ChoreResult.more(walk.deleted).at(walk.position) : ChoreResult.done(walk.deleted);
    }

    private static final class Walk {

        private final StoreDatabase database;
        private final MaintenanceStatements statements;
        private String position;
        private long deleted;

        Walk(StoreDatabase database, String position) {
            this.database = database;
            this.statements = new MaintenanceStatements(database);
            this.position = position;
        }

        /** Returns whether there is more. */
        boolean next() {
            List<Record> looked = database.inTransaction(Limits.OF_ROWS, this::step);
            if (looked.size() < ROWS) {
                return false;
            }
            position = looked.get(looked.size() - 1).get("key", String.class);
            return true;
        }

        private List<Record> step(DSLContext sql) {
            sql.execute(statements.onePlan());
            List<Record> looked = List.copyOf(sql.fetch(statements.lookAtKeys(), position, ROWS));
            String[] ended = looked.stream()
                    .filter(row -> row.get("has_ended", Boolean.class))
                    .map(row -> row.get("key", String.class))
                    .toArray(String[]::new);
            if (ended.length > 0) {
                String[] locked = sql.fetch(statements.lockKeys(), (Object) ended)
                        .map(row -> row.get("key", String.class))
                        .toArray(String[]::new);
                deleted += sql.execute(statements.deleteEndedKeys(), (Object) locked);
            }
            return looked;
        }
    }
}
