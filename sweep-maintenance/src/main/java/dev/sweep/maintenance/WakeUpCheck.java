package dev.sweep.maintenance;

import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Whether live workers hear of new tasks at once, as they say themselves: a pooler in between may swallow LISTEN. */
final class WakeUpCheck implements Check {

    private static final Set<String> FINE = Set.of("yes", "off");

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
            if (!FINE.contains(how)) {
                found.warning(
                        workers + " live workers do not hear of new tasks (" + how + "), and find them by polling",
                        "give Sweep a connection past the pooler, or one in session mode (notificationsFrom), or switch"
                                + " wake-ups off",
                        Map.of("workers", workers));
            }
        }
        found.otherwise("no live worker is deaf", Map.of());
    }
}
