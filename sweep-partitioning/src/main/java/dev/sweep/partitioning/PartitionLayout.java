package dev.sweep.partitioning;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How an installation is partitioned at one moment.
 *
 * @param now by the database's clock
 * @param plan empty if partitions are off
 * @param leaves all that are attached, by table and time
 * @param firstBounds of the open leaves that have the constraint for their coming bound: whether it is validated
 * @param isEmpty whether the open leaves have no rows
 * @param looseTables that may be called like partitions, and are none
 * @param keptRanges whose tables retention left to the owner
 */
record PartitionLayout(
        Instant now,
        Optional<Plan> plan,
        List<Leaf> leaves,
        Map<String, Boolean> firstBounds,
        boolean isEmpty,
        Set<String> looseTables,
        Set<String> keptRanges) {

    /**
     * What was decided.
     *
     * @param period its {@link PartitionPeriod#word}
     * @param firstBound where the leaf ends, or shall end, that had no upper bound when partitions were switched on
     */
    record Plan(String period, Instant firstBound, boolean isConverted) {}

    PartitionLayout {
        leaves = List.copyOf(leaves);
        firstBounds = Map.copyOf(firstBounds);
        looseTables = Set.copyOf(looseTables);
        keptRanges = Set.copyOf(keptRanges);
    }

    boolean isLoose(PartitionTable table, PartitionRange range) {
        return looseTables.contains(table.leaf(range.name()));
    }

    /** A loose table of it that retention did not keep: it may be on its way out or back, or is nobody knows what. */
    Optional<String> obstacleOf(PartitionRange range) {
        return keptRanges.contains(range.name())
                ? Optional.empty()
                : PartitionTable.ALL.stream()
                        .map(table -> table.leaf(range.name()))
                        .filter(looseTables::contains)
                        .findFirst();
    }

    List<Leaf> openLeaves() {
        return leaves.stream().filter(Leaf::isOpen).toList();
    }

    List<Leaf> leavesOf(PartitionTable table) {
        return leaves.stream().filter(leaf -> leaf.table() == table).toList();
    }

    boolean isHeld(PartitionTable table, Instant instant) {
        return leavesOf(table).stream().anyMatch(leaf -> leaf.holds(instant));
    }

    /** Whether all three tables can take what is created at this instant. */
    boolean isHeld(Instant instant) {
        return Arrays.stream(PartitionTable.values()).allMatch(table -> isHeld(table, instant));
    }

    /** Where the last leaf of a table ends; all of it was created in time order. */
    Instant end(PartitionTable table) {
        return leavesOf(table).stream().map(Leaf::to).max(Instant::compareTo).orElse(Instant.MIN);
    }
}
