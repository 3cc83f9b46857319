package dev.sweep.maintenance;

import java.time.Duration;
import java.util.List;

/** The chores that come with Sweep. */
final class Chores {

    private Chores() {}

    static List<Chore> of(Retention retention, Duration workerLease) {
        return List.of(
                new LeaseReclaimer(workerLease),
                new PartitionCare(),
                new DeadLetterMover(),
                new TotalsFolder(),
                new FinishedPurger(retention),
                new KeyPurger(),
                new DeadLetterPurger(retention.deadLetters()),
                new StatisticsCare(),
                new IndexCare(),
                new WorkerPurger(retention.workers()));
    }
}
