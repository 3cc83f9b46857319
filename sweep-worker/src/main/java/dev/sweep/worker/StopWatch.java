package dev.sweep.worker;

import java.time.Duration;

/** Measures one handler's run time by the monotonic clock. Used by one thread. */
final class StopWatch {

    private long startedNanos = System.nanoTime();
    private long nanos = -1;

    static StopWatch started() {
        return new StopWatch();
    }

    /** What was before does not count. */
    void restart() {
        startedNanos = System.nanoTime();
    }

    /** The time until the first stop. */
    Duration stop() {
        if (nanos < 0) {
            nanos = System.nanoTime() - startedNanos;
        }
        return time();
    }

    Duration time() {
        return Duration.ofNanos(nanos);
    }
}
