package dev.sweep.maintenance;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How soon to try again after a failure: twice as late each time, with jitter.
 *
 * @param first after the first failure in a row
 * @param longest no wait is longer
 */
record FailurePace(Duration first, Duration longest) {

    static final FailurePace DEFAULT = new FailurePace(Duration.ofSeconds(5), Duration.ofMinutes(15));

    private static final int MAX_DOUBLINGS = 20;

    /** Between half of the doubled wait and all of it. */
    Duration delayAfter(int failures) {
        int doublings = Math.min(MAX_DOUBLINGS, failures - 1);
        long ceiling = Math.max(1, Math.min(longest.toNanos(), first.toNanos() << doublings));
        return Duration.ofNanos(ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1));
    }
}
