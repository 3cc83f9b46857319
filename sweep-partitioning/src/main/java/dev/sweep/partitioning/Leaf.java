package dev.sweep.partitioning;

import java.time.Instant;

/**
 * One attached partition, as PostgreSQL's catalog has it.
 *
 * @param rangeName what follows the name of the parent
 * @param from {@link Instant#MIN} if it has no lower bound
 * @param to {@link Instant#MAX} if it has no upper bound
 * @param isDetachPending whether a concurrent detach of it was begun and has not ended
 */
record Leaf(PartitionTable table, String rangeName, Instant from, Instant to, boolean isDetachPending) {

    PartitionRange range() {
        return new PartitionRange(rangeName, from, to);
    }

    /** Whether all times to come lie in it. */
    boolean isOpen() {
        return to.equals(Instant.MAX);
    }

    boolean holds(Instant instant) {
        return !isDetachPending && !instant.isBefore(from) && instant.isBefore(to);
    }

    String tableName() {
        return table.leaf(rangeName);
    }
}
