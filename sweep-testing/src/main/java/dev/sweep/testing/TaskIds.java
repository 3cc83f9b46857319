package dev.sweep.testing;

import java.time.Duration;
import java.time.Instant;

/** Makes ids of the shape that the PostgreSQL store gives: the second of creation, then 22 bits that tell apart. */
final class TaskIds {

    private static final Instant EPOCH = Instant.parse("2020-01-01T00:00:00Z");
    private static final int BITS_WITHIN_SECOND = 22;

    private TaskIds() {}

    /** The next id: greater than {@code lastId}, whatever the clock does. */
    static long after(long lastId, Instant now) {
        long ofThisSecond = Duration.between(EPOCH, now).toSeconds() << BITS_WITHIN_SECOND;
        return Math.max(lastId + 1, ofThisSecond);
    }
}
