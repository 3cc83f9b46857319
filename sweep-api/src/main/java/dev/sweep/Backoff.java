package dev.sweep;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The delay before the next attempt. Implementations are thread-safe and never return a negative duration. */
@FunctionalInterface
public interface Backoff {

    /**
     * The delay after a failed attempt.
     *
     * @param failures how often the task has failed, this failure included; at least 1
     * @param random the source of jitter
     */
    Duration delayAfter(int failures, RandomGenerator random);

    /** Exponential with full jitter: a random part of 1 s doubled at each failure, at most 1 h. */
    static Backoff ofDefaults() {
        return exponential(Duration.ofSeconds(1), Duration.ofHours(1));
    }

    /**
     * Exponential with full jitter: a random duration between zero and {@code base * 2^(failures - 1)}, at most
     * {@code cap}. Formula: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
     *
     * @param base zero to 3,650 days
     * @param cap {@code base} to 3,650 days
     */
    static Backoff exponential(Duration base, Duration cap) {
        Bounds.duration("backoff base", base, Duration.ZERO, Bounds.MAX_DELAY);
        Bounds.duration("backoff cap", cap, base, Bounds.MAX_DELAY);
        // Rounded up: a base below 1 ms must double too.
        long baseMillis = base.plusNanos(999_999).toMillis();
        return (failures, random) -> {
            long ceiling = ExponentialCeiling.millis(baseMillis, cap.toMillis(), failures);
            return Duration.ofMillis(random.nextLong(ceiling + 1));
        };
    }

    /** The same delay after each failure, zero to 3,650 days. */
    static Backoff fixed(Duration delay) {
        Bounds.duration("backoff delay", delay, Duration.ZERO, Bounds.MAX_DELAY);
        return (failures, random) -> delay;
    }
}
