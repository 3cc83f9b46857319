package dev.sweep.spi;

import dev.sweep.TaskId;

/**
 * SPI: names one run of one task, and is the right to end it: the store accepts an outcome only while it still knows
 * this pair.
 *
 * @param lease the claim that started the run; the fencing number given to handlers
 */
public record Attempt(long lease, TaskId id) implements Comparable<Attempt> {

    /** By task, then lease: the order in which all stores take their locks. */
    @Override
    public int compareTo(Attempt other) {
        int byId = id.compareTo(other.id);
        return byId != 0 ? byId : Long.compare(lease, other.lease);
    }
}
