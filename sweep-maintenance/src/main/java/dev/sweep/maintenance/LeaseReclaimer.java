package dev.sweep.maintenance;

import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.WakeUp;
import java.time.Duration;

/** Takes back the tasks of workers that vanished. Every worker does so too; this is for when none is left. */
final class LeaseReclaimer implements Chore {

    private static final int ROWS = 500;

    private final Duration workerLease;

    LeaseReclaimer(Duration workerLease) {
        this.workerLease = workerLease;
    }

    @Override
    public String name() {
        return "reclaim";
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(30);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        Count count = new Count();
        boolean hasMore = Batches.run(context, () -> {
            Reclaimed reclaimed = context.store().reclaim(workerLease, ROWS);
            count.add(reclaimed.size());
            return reclaimed.size() >= ROWS;
        });
        if (count.value() > 0) {
            context.store().announce(new WakeUp.TasksReturnedAnywhere());
        }
        return count.result(hasMore);
    }
}
