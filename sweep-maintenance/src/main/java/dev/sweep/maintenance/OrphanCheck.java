package dev.sweep.maintenance;

import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;

/**
 * Tasks that neither wait nor run nor have ended. No step of Sweep makes one; a restore of single tables or a change by hand
 * can. Looks at the oldest tasks, where such ones are left when retention takes the others away.
 */
final class OrphanCheck implements Check {

    private static final int SHOWN = 10;

    private final DoctorStatements statements;

    OrphanCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "orphans";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        List<Long> orphans = sql.fetch(statements.orphans(), SHOWN + 1).getValues("id", Long.class);
        if (!orphans.isEmpty()) {
            found.fault(
                    "tasks that neither wait nor run nor have ended, and so never will: "
                            + StragglerCheck.shown(orphans),
                    "put them back by the statement in docs/operating.md, and find out what changed the tables",
                    Map.of("tasks", orphans.size()));
        }
        found.otherwise("the oldest tasks are each in one place", Map.of());
    }
}
