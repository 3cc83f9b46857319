package dev.sweep.partitioning;

import java.time.Instant;

/**
 * One range of creation times, the same in all three partitioned tables.
 *
 * @param name what the tables are called by: {@code task_<name>}; lower case letters, digits and underscores
 * @param from the first instant
 * @param to the first instant after it
 */
public record PartitionRange(String name, Instant from, Instant to) {

    private static final int MAX_NAME = 40;

    public PartitionRange {
        if (!name.matches("[a-z0-9][a-z0-9_]{0," + (MAX_NAME - 1) + "}")) {
            throw new IllegalArgumentException("partition name '" + name + "' is no good; use 1 to " + MAX_NAME
                    + " lower case letters, digits and underscores");
        }
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException(
                    "partition " + name + " would end at " + to + ", not after its begin at " + from);
        }
    }

    /** Whether something created at this instant belongs here. */
    public boolean contains(Instant instant) {
        return !instant.isBefore(from) && instant.isBefore(to);
    }
}
