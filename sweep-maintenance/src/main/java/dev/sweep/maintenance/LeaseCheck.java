package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Leases that lapsed and that nobody took back, and those that would lapse too late. */
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
        fromAhead(sql.fetchSingle(statements.leasesFromAhead()), found);
        found.otherwise("no lease has lapsed for long", numbers);
    }

    /** A worker that lives loses nothing by them; what a dead one ran waits until they lapse. */
    private static void fromAhead(Record ahead, Findings found) {
        long leases = ahead.get("leases", Long.class);
        long seconds = ahead.get("seconds", Long.class);
        if (leases > 0) {
            found.warning(
                    leases + " leases were taken or extended while the database's clock was ahead, the last ends in "
                            + HorizonCheck.shown(seconds),
                    "keep a worker or sweep maintain running: each of them shortens those that end in more than a day;"
                            + " mend time synchronisation",
                    Map.of("ahead", leases, "seconds", seconds));
        }
    }
}
