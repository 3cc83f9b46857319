package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Whether the counts behind task_stats are folded, and whether partitioned tables are ever analysed. */
final class StatisticsCheck implements Check {

    private static final long MANY_DELTAS = 200_000;
    private static final long LONG_DAYS = 14;

    private final DoctorStatements statements;

    StatisticsCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "statistics";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        long deltas = sql.fetchSingle(statements.statDeltas()).get(0, Long.class);
        if (deltas > MANY_DELTAS) {
            found.warning(
                    "about " + deltas + " counts in stat_delta are not folded: task_stats reads them all",
                    "see to it that maintenance runs: it folds them",
                    Map.of("rows", deltas));
        }
        for (Record table : sql.fetch(statements.neverAnalyzed())) {
            long days = table.get("days", Long.class);
            if (days > LONG_DAYS) {
                found.warning(
                        "partitioned table " + table.get("name", String.class) + " was not analysed for " + days
                                + " days; autovacuum never does it",
                        "run ANALYZE on it, and see to it that maintenance runs: it does so daily",
                        Map.of("days", days));
            }
        }
        found.otherwise("counts are folded and tables analysed", Map.of("rows", deltas));
    }
}
