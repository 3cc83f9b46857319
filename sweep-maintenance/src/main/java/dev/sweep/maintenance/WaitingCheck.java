package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** How long the oldest due task of each queue has waited, and whether a worker is there to run it. */
final class WaitingCheck implements Check {

    private static final long LONG_SECONDS = 10 * 60;
    private static final long FORGOTTEN_SECONDS = 24 * 60 * 60;

    private final DoctorStatements statements;

    WaitingCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        long workers = sql.fetchSingle(statements.liveWorkers()).get(0, Long.class);
        long oldest = 0;
        for (Record head : sql.fetch(statements.oldestDue())) {
            long seconds = head.get("seconds", Long.class);
            oldest = Math.max(oldest, seconds);
            Map<String, Number> numbers = Map.of("seconds", seconds, "workers", workers);
            String queue = "the oldest due task of queue " + head.get("queue", String.class) + " has waited "
                    + HorizonCheck.shown(seconds);
            if (head.get("is_paused", Boolean.class)) {
                if (seconds > FORGOTTEN_SECONDS) {
                    found.warning(
                            queue + ", and the queue is paused", "if that is forgotten: sweep resume QUEUE", numbers);
                }
            } else if (seconds > LONG_SECONDS) {
                tell(queue, workers, numbers, found);
            }
        }
        found.otherwise(
                oldest == 0 ? "no due task waits" : "the oldest due task has waited " + HorizonCheck.shown(oldest),
                Map.of("seconds", oldest, "workers", workers));
    }

    private static void tell(String what, long workers, Map<String, Number> numbers, Findings found) {
        if (workers == 0) {
            found.fault(what + ", and no worker is alive", "start workers, or see why they stopped", numbers);
        } else {
            found.warning(
                    what,
                    "add workers or slots, or see what their handlers wait for; a bulk load passes by itself",
                    numbers);
        }
    }
}
