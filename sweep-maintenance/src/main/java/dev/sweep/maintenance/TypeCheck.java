package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Due tasks that no live worker would claim: nobody has their type registered for their queue. */
final class TypeCheck implements Check {

    private static final int SHOWN = 10;

    private final DoctorStatements statements;

    TypeCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "types";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        var unknown = sql.fetch(statements.pendingOfUnknownType(), SHOWN + 1);
        for (Record type : unknown.subList(0, Math.min(SHOWN, unknown.size()))) {
            found.warning(
                    "pending of unknown type: no live worker runs type " + type.get("type", String.class) + " of queue "
                            + type.get("queue", String.class) + ", and at least " + type.get("tasks", Long.class)
                            + " such tasks are due",
                    "start a worker that has this type and queue, or cancel them (sweep cancel --type TYPE)",
                    Map.of("tasksSeen", type.get("tasks", Long.class)));
        }
        if (unknown.size() > SHOWN) {
            found.warning("and more types than " + SHOWN + " that no live worker runs", "see above", Map.of());
        }
        found.otherwise(
                "every due task that was looked at has a live worker for its type, or no worker is alive", Map.of());
    }
}
