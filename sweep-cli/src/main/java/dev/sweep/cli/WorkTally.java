package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEventListener;
import java.util.concurrent.atomic.LongAdder;

/** Counts how the attempts of a worker ended. Thread-safe. */
final class WorkTally implements TaskEventListener {

    private final LongAdder succeeded = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder snoozed = new LongAdder();
    private final LongAdder refused = new LongAdder();

    @Override
    public void onEvent(TaskEvent event) {
        if (event instanceof TaskEvent.AttemptSucceeded) {
            succeeded.increment();
        } else if (event instanceof TaskEvent.AttemptFailed) {
            retried.increment();
        } else if (event instanceof TaskEvent.TaskFailed) {
            failed.increment();
        } else if (event instanceof TaskEvent.AttemptSnoozed) {
            snoozed.increment();
        } else if (event instanceof TaskEvent.OutcomeRefused) {
            refused.increment();
        }
    }

    ObjectNode json() {
        ObjectNode json = JsonText.object();
        json.put("succeeded", succeeded.sum());
        json.put("retried", retried.sum());
        json.put("failed", failed.sum());
        json.put("snoozed", snoozed.sum());
        json.put("refused", refused.sum());
        return json;
    }

    /** For people. */
    @Override
    public String toString() {
        String counts = succeeded.sum() + " succeeded, " + retried.sum() + " to be retried, " + failed.sum()
                + " failed, " + snoozed.sum() + " snoozed";
        return refused.sum() == 0 ? counts : counts + ", " + refused.sum() + " outcomes refused (lease lost)";
    }
}
