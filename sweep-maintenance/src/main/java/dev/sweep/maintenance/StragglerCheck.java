package dev.sweep.maintenance;

import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Weeks that retention began to take away and did not finish, old tasks that keep theirs, and exports that nobody makes. */
final class StragglerCheck implements Check {

    private static final int SHOWN = 10;

    private final DoctorStatements statements;
    private final MaintenanceStatements maintenance;

    StragglerCheck(DoctorStatements statements, MaintenanceStatements maintenance) {
        this.statements = statements;
        this.maintenance = maintenance;
    }

    @Override
    public String name() {
        return "stragglers";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        for (Record stuck : sql.fetch(statements.stuckRetirements())) {
            found.warning(
                    "retention of " + stuck.get("name", String.class) + " stands at " + stuck.get("stage", String.class)
                            + " for " + stuck.get("hours", Long.class) + " h"
                            + (stuck.get("note", String.class) == null ? "" : ": " + stuck.get("note", String.class)),
                    "see who holds it up (the check horizon names old transactions), then run sweep partitions retire",
                    Map.of("hours", stuck.get("hours", Long.class)));
        }
        List<Long> old = sql.fetch(statements.oldLiveTasks(), SHOWN + 1).getValues("id", Long.class);
        if (!old.isEmpty()) {
            found.warning(
                    (old.size() > SHOWN ? "more than " + SHOWN : old.size())
                            + " tasks older than four weeks wait or run," + " and keep their partition: " + shown(old),
                    "let them run, cancel them (sweep cancel ID...), or leave them: nothing live is ever dropped",
                    Map.of("tasks", old.size()));
        }
        notExported(sql, found);
        found.otherwise("no old task keeps a partition, and no retirement is stuck", Map.of());
    }

    /** They stay whole until they are written, so the disk fills up. */
    private void notExported(DSLContext sql, Findings found) {
        Retention retention = RetentionPolicy.stored(sql, maintenance);
        if (retention.oldPartitions() != Retention.Fate.EXPORT) {
            return;
        }
        sql.execute(statements.plainDates());
        Record late = sql.fetchSingle(
                statements.lateRanges(), retention.ofPartitions().toSeconds());
        long partitions = late.get("partitions", Long.class);
        if (partitions > 0) {
            found.warning(
                    partitions
                            + " partitions are to be exported, are past the retention for more than a day, and stay, the"
                            + " first up to " + late.get("upper_at", String.class) + " UTC",
                    "keep a process with an export folder leading, or run sweep partitions retire --export DIR; what stays"
                            + " for a task that waits is told by --dry-run",
                    Map.of("partitions", partitions));
        }
    }

    static String shown(List<Long> ids) {
        String first =
                String.join(", ", ids.stream().limit(SHOWN).map(String::valueOf).toList());
        return ids.size() > SHOWN ? first + ", ..." : first;
    }
}
