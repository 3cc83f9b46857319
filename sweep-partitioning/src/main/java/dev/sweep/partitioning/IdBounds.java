package dev.sweep.partitioning;

import java.time.Instant;

/**
 * The ids of the tasks that were created in a range: each embeds the second of its creation.
 *
 * @param from the least
 * @param to greater than all of them
 */
record IdBounds(long from, long to) {

    private static final long EPOCH = Instant.parse("2020-01-01T00:00:00Z").getEpochSecond();
    private static final int SEQUENCE_BITS = 22;

    /** Begin and end within a second take all of that second in. */
    static IdBounds of(PartitionRange range) {
        return new IdBounds(
                range.from().equals(Instant.MIN) ? Long.MIN_VALUE : idAt(range.from()),
                idAt(range.to().plusNanos(999_999_999)));
    }

    /** As the SQL function {@code id_at} has it. */
    private static long idAt(Instant instant) {
        return (instant.getEpochSecond() - EPOCH) << SEQUENCE_BITS;
    }
}
