package dev.sweep.partitioning;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The partitions of an installation at one moment.
 *
 * @param period empty if partitions are off
 * @param isConverting whether the unbounded leaf of a plain installation still waits for its bound
 * @param partitions those of {@code task}, oldest first
 * @param runway how many whole periods after the present one can take tasks in all three tables; empty if partitions are off
 */
public record PartitionState(
        Optional<String> period, boolean isConverting, List<Partition> partitions, OptionalInt runway) {

    /**
     * One partition of {@code task}, and those of the other tables that are called alike.
     *
     * @param from empty if it has no lower bound
     * @param to empty if it has no upper bound
     * @param isPresent whether tasks that are enqueued now lie in it
     */
    public record Partition(String name, Optional<Instant> from, Optional<Instant> to, boolean isPresent) {}

    public PartitionState {
        partitions = List.copyOf(partitions);
    }
}
