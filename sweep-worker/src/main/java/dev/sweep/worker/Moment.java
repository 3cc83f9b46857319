package dev.sweep.worker;

import java.time.Duration;

/**
 * A point in time by both clocks of this process: a lease ends by whichever runs out first, since the monotonic clock
 * stands still while a machine sleeps and the wall clock may be set back.
 *
 * @param nanos the monotonic clock, {@link System#nanoTime()}
 * @param wallMillis the wall clock
 */
record Moment(long nanos, long wallMillis) {

    static Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    Moment plus(Duration duration) {
        return new Moment(nanos + duration.toNanos(), wallMillis + duration.toMillis());
    }

    /** Whether this lies ahead of {@code now} by both clocks. */
    boolean isAhead(Moment now) {
        return nanos - now.nanos > 0 && wallMillis - now.wallMillis > 0;
    }

    /** How much later this is than {@code earlier}, by the monotonic clock; negative if it is not. */
    Duration since(Moment earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }
}
