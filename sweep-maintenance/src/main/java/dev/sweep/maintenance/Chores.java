package dev.sweep.maintenance;

import dev.sweep.partitioning.PartitionManagerBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The chores that come with Sweep.
 *
 * @param policy what stays how long
 * @param exportFolder where this process may export partitions to
 * @param partitions how partitions are made
 * @param workersFor how long a worker that was not seen stays listed
 * @param workerLease the longest lease of any worker
 */
record Chores(
        RetentionPolicy policy,
        @Nullable Path exportFolder,
        UnaryOperator<PartitionManagerBuilder> partitions,
        Duration workersFor,
        Duration workerLease,
        MaintenanceEvents events) {

    List<Chore> all() {
        return List.of(
                new LeaseReclaimer(workerLease),
                new PartitionCare(partitions, events),
                new DeadLetterMover(),
                new OldPartitions(policy, exportFolder),
                new TotalsFolder(),
                new FinishedPurger(policy),
                new KeyPurger(),
                new DeadLetterPurger(policy),
                new StatisticsCare(),
                new IndexCare(),
                new WorkerPurger(workersFor));
    }
}
