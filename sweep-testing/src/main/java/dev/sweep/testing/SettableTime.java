package dev.sweep.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still until a test moves it. Thread-safe; a move is seen by everything that asks after it.
 */
public final class SettableTime implements InstantSource {

    private Instant now;

    private SettableTime(Instant start) {
        this.now = start;
    }

    /** Stands at {@code start}. */
    public static SettableTime at(Instant start) {
        return new SettableTime(start);
    }

    public synchronized Instant now() {
        return now;
    }

    @Override
    public Instant instant() {
        return now();
    }

    /**
     * Moves forward.
     *
     * @param duration zero or more; to go back, as a wrong clock does, use {@link #set(Instant)}
     * @return the instant it stands at now
     */
    public synchronized Instant advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("can't advance by " + duration + "; use zero or more, or set(Instant)");
        }
        now = now.plus(duration);
        return now;
    }

    /** Jumps to an instant, forward or back. */
    public synchronized void set(Instant instant) {
        now = instant;
    }

    @Override
    public String toString() {
        return "SettableTime[" + now() + "]";
    }
}
