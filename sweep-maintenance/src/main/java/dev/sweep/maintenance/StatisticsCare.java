package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import org.jooq.Record;

/** Analyses what autovacuum never does: the partitioned parents, each six hours, and tables it has not come to. */
final class StatisticsCare implements Chore {

    private static final Duration PARENTS_EACH = Duration.ofHours(6);
    private static final Limits LIMITS = Limits.patient(Duration.ofMinutes(10));

    @Override
    public String name() {
        return "statistics";
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(15);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        StoreDatabase database = context.database();
        MaintenanceStatements statements = new MaintenanceStatements(database);
        int version = database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.fetchSingle(statements.serverVersion()).get(0, Integer.class));
        List<Record> tables = database.inTransaction(
                Limits.OF_ROWS,
                sql -> List.copyOf(sql.fetch(statements.tablesToAnalyse(), PARENTS_EACH.toNanos() / 1_000)));
        long analysed = 0;
        for (Record table : tables) {
            if (context.isTimeUp()) {
                return ChoreResult.more(analysed);
            }
            database.alone(
                    LIMITS,
                    sql -> sql.execute(statements.analyse(
                            table.get("name", String.class), table.get("is_parent", Boolean.class), version)));
            analysed++;
        }
        return ChoreResult.done(analysed);
    }
}
