package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Leases that lapsed and that nobody took back. */
final class LeaseCheck implements Check {

    private static final long LATE_SECONDS = 60;
    private static final long VERY_LATE_SECONDS = 10 * 60;

    private final DoctorStatements statements;

    LeaseCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "leases";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        Record lapsed = sql.fetchSingle(statements.lapsedLeases());
        long leases = lapsed.get("leases", Long.class);
        long seconds = lapsed.get("seconds", Long.class);
        Map<String, Number> numbers = Map.of("lapsed", leases, "seconds", seconds);
        String what = leases + " leases have lapsed, the first " + HorizonCheck.shown(seconds)
                + " ago, and nobody took their tasks back";
        String remedy = "keep a worker or sweep maintain running: each of them reclaims";
        if (seconds > VERY_LATE_SECONDS) {
            found.fault(what, remedy, numbers);
        } else if (seconds > LATE_SECONDS) {
            found.warning(what, remedy, numbers);
        }
        found.otherwise("no lease has lapsed for long", numbers);
    }
}
