package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Whether live workers hear of new tasks at once, as they say themselves: a pooler in between may swallow LISTEN. */
final class WakeUpCheck implements Check {

    /** As workers write it of themselves. */
    private static final String DEAF = "deaf";

    private final DoctorStatements statements;

    WakeUpCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "wake-ups";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        for (Record listening : sql.fetch(statements.listening())) {
            String how = listening.get("listening", String.class);
            long workers = listening.get("workers", Long.class);
            if (how.equals(DEAF)) {
                found.warning(
                        workers
                                + " live workers listen and hear nothing, most likely because of a pooler; they find tasks by"
                                + " polling",
                        "give Sweep a connection past the pooler, or one in session mode (notificationsFrom), or switch"
                                + " wake-ups off",
                        Map.of("workers", workers));
            }
        }
        found.otherwise("no live worker is deaf", Map.of());
    }
}
