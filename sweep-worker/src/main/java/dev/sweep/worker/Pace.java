package dev.sweep.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How soon a loop tries again after a fault: twice as late each time, with jitter so that processes don't come in step.
 *
 * @param first the delay after the first fault
 * @param longest no delay is longer
 */
record Pace(Duration first, Duration longest) {

    private static final int MAX_DOUBLINGS = 20;

    /** Between half of the doubled delay and all of it. */
    Duration delayAfter(int faults) {
        int doublings = Math.min(MAX_DOUBLINGS, faults - 1);
        long ceiling = Math.max(1, Math.min(longest.toNanos(), first.toNanos() << doublings));
        return Duration.ofNanos(ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1));
    }

    /** The duration itself, up to a tenth shorter or longer. */
    static Duration jittered(Duration duration) {
        double factor = 0.9 + 0.2 * ThreadLocalRandom.current().nextDouble();
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }
}
