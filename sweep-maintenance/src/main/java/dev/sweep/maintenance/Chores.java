package dev.sweep.maintenance;

import dev.sweep.partitioning.PartitionRetentionBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The chores that come with Sweep. */
final class Chores {

    private Chores() {}

    static List<Chore> of(
            Retention retention,
            UnaryOperator<PartitionRetentionBuilder> partitions,
            Duration workerLease,
            MaintenanceEvents events) {
        return List.of(
                new LeaseReclaimer(workerLease),
                new PartitionCare(events),
                new DeadLetterMover(),
                new OldPartitions(retention, partitions),
                new TotalsFolder(),
                new FinishedPurger(retention),
                new KeyPurger(),
                new DeadLetterPurger(retention.deadLetters()),
                new StatisticsCare(),
                new IndexCare(),
                new WorkerPurger(retention.workers()));
    }
}
