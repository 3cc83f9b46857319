package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
        Optional<Instant> lastTime = context.position().flatMap(StatisticsCare::parse);
        boolean isDue = lastTime.isEmpty() || !lastTime.get().plus(PARENTS_EACH).isAfter(context.now());
        Instant kept = isDue ? context.now() : lastTime.get();
        MaintenanceStatements statements = new MaintenanceStatements(database);
        int version = database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.fetchSingle(statements.serverVersion()).get(0, Integer.class));
        List<Record> tables = database.inTransaction(
                Limits.OF_ROWS, sql -> List.copyOf(sql.fetch(statements.tablesToAnalyse(), isDue)));
        long analysed = 0;
        for (Record table : tables) {
            // The parents come first and are few; they are analysed together or not at all.
            if (context.isTimeUp() && !table.get("is_parent", Boolean.class)) {
                return ChoreResult.more(analysed).at(kept.toString());
            }
            database.alone(
                    LIMITS,
                    sql -> sql.execute(statements.analyse(
                            table.get("name", String.class), table.get("is_parent", Boolean.class), version)));
            analysed++;
        }
        return ChoreResult.done(analysed).at(kept.toString());
    }

    private static Optional<Instant> parse(String position) {
        try {
            return Optional.of(Instant.parse(position));
        } catch (DateTimeException notOurs) {
            return Optional.empty();
        }
    }
}
