package dev.sweep.worker;

import java.time.Duration;

/** Whether nearly all recent shares of a slot took less time than it costs to wake another slot. */
final class Quickness {

    private static final long QUICK_NANOS = 50_000;
    private static final double WEIGHT_OF_NEWEST = 0.02;
    private static final double NEARLY_ALL = 0.95;

    private double quickOnes;

    void add(Duration took) {
        double newest = took.toNanos() < QUICK_NANOS ? 1 : 0;
        quickOnes += WEIGHT_OF_NEWEST * (newest - quickOnes);
    }

    boolean isQuick() {
        return quickOnes > NEARLY_ALL;
    }
}
