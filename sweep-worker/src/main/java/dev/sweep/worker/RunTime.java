package dev.sweep.worker;

import java.time.Duration;

/** How long recent runs took, newer ones counting more. Without any: without end. */
final class RunTime {

    private static final double WEIGHT_OF_NEWEST = 0.1;
    private static final double NANOS_PER_SECOND = 1e9;

    private double averageNanos = Double.POSITIVE_INFINITY;

    void add(Duration took) {
        double nanos = Math.max(1, took.toNanos());
        averageNanos =
                Double.isInfinite(averageNanos) ? nanos : averageNanos + WEIGHT_OF_NEWEST * (nanos - averageNanos);
    }

    /** Runs take at least this long. */
    void raiseTo(Duration atLeast) {
        averageNanos = Math.max(averageNanos, (double) atLeast.toNanos());
    }

    /** How many runs follow each other within a second. */
    double perSecond() {
        return NANOS_PER_SECOND / averageNanos;
    }
}
