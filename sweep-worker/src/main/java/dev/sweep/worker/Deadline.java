package dev.sweep.worker;

import java.time.Duration;

/** An end of waiting, by the monotonic clock. */
record Deadline(long atNanos) {

    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    Deadline plus(Duration more) {
        return new Deadline(atNanos + more.toNanos());
    }

    /** What is left; zero once it has passed. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
    }

    boolean hasPassed() {
        return left().isZero();
    }
}
