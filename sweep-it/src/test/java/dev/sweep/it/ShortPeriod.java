package dev.sweep.it;

import dev.sweep.partitioning.PartitionPeriod;
import dev.sweep.partitioning.PartitionRange;
import java.time.Instant;

/** So that a test meets many partitions: so many seconds each. */
record ShortPeriod(long seconds) implements PartitionPeriod {

    @Override
    public String word() {
        return "seconds_" + seconds;
    }

    @Override
    public PartitionRange rangeOf(Instant instant) {
        long from = Math.floorDiv(instant.getEpochSecond(), seconds) * seconds;
        return new PartitionRange("s" + from, Instant.ofEpochSecond(from), Instant.ofEpochSecond(from + seconds));
    }
}
