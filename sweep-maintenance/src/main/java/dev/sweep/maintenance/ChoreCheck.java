package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;

/** Chores that are overdue or fail, and whether anybody leads. */
final class ChoreCheck implements Check {

    private static final int MANY_FAILURES = 3;
    private static final long LATE_SECONDS = 60 * 60;
    private static final long VERY_LATE_SECONDS = 24 * 60 * 60;

    private final DoctorStatements statements;

    ChoreCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "chores";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        Result<Record> chores = sql.fetch(statements.chores());
        if (chores.isEmpty()) {
            found.warning(
                    "no chore has ever run: nothing is cleaned up, moved or folded",
                    "keep a MaintenanceService in your application running, or sweep maintain",
                    Map.of());
            return;
        }
        String leader = sql.fetchSingle(statements.hasLeader()).get(0, Boolean.class) ? "" : ", and nobody leads";
        chores.forEach(chore -> examine(chore, leader, found));
        found.otherwise(chores.size() + " chores, none late", Map.of("chores", chores.size()));
    }

    private static void examine(Record chore, String leader, Findings found) {
        String name = "chore " + chore.get("name", String.class);
        long failures = chore.get("failures", Long.class);
        long late = chore.get("late_seconds", Long.class);
        Map<String, Number> numbers = Map.of("failures", failures, "lateSeconds", late);
        if (failures >= MANY_FAILURES) {
            found.warning(
                    name + " has failed " + failures + " times in a row",
                    "read its error: select error from maintenance_chore where name = '"
                            + chore.get("name", String.class) + "'",
                    numbers);
        } else if (late > VERY_LATE_SECONDS) {
            found.fault(
                    name + " is late by " + HorizonCheck.shown(late) + leader,
                    "keep a MaintenanceService in your application running, or sweep maintain",
                    numbers);
        } else if (late > LATE_SECONDS) {
            found.warning(
                    name + " is late by " + HorizonCheck.shown(late) + leader,
                    "keep a MaintenanceService in your application running, or sweep maintain",
                    numbers);
        }
    }
}
