package dev.sweep.partitioning;

import java.time.Instant;

/**
 * SPI: how time is cut into partitions. Ranges follow each other without gaps; each has a name that sorts like its time and
 * that no other range has. Implementations depend on nothing but the instant: not on the time zone of a session or a process.
 */
public interface PartitionPeriod {

    /** The word that the database keeps of it: 1 to 40 lower case letters, digits and underscores. */
    String word();

    /** The range in which this instant lies. */
    PartitionRange rangeOf(Instant instant);

    /** The range that begins where the other one ends. */
    default PartitionRange after(PartitionRange range) {
        return rangeOf(range.to());
    }
}
