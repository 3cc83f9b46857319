package dev.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides what follows a failed attempt of a task that has retries left. Implementations are thread-safe. What a handler
 * asked for ({@link Outcome#retryAfter}, {@link RetryAfterException}, {@link NoRetryException}) goes before the policy.
 */
@FunctionalInterface
public interface RetryPolicy {

    /**
     * The delay before the next attempt, zero to 3,650 days; empty: none, the task fails for good.
     *
     * @param random the source of jitter
     */
    Optional<Duration> delayAfter(FailedAttempt attempt, RandomGenerator random);

    /** {@link Backoff#ofDefaults()} after every failure. */
    static RetryPolicy ofDefaults() {
        return of(Backoff.ofDefaults());
    }

    /** A retry after every failure, as long as the task has retries left. */
    static RetryPolicy of(Backoff backoff) {
        Bounds.given("backoff", backoff);
        return (attempt, random) -> Optional.of(backoff.delayAfter(attempt.failures(), random));
    }

    /** Like {@link Backoff#exponential}. */
    static RetryPolicy exponential(Duration base, Duration cap) {
        return of(Backoff.exponential(base, cap));
    }

    /** Like {@link Backoff#fixed}. */
    static RetryPolicy fixed(Duration delay) {
        return of(Backoff.fixed(delay));
    }

    /** No retry, whatever the task's own number of retries. */
    static RetryPolicy never() {
        return (attempt, random) -> Optional.empty();
    }

    /** The same policy, but no retry if what was thrown, or one of its causes, is one of these. */
    default RetryPolicy butNotOn(List<Class<? extends Throwable>> throwables) {
        List<Class<? extends Throwable>> hopeless = List.copyOf(throwables);
        return (attempt, random) -> attempt.isCausedBy(hopeless) ? Optional.empty() : delayAfter(attempt, random);
    }

    /** The same policy, but no retry if what was thrown, or one of its causes, is one of this class. */
    default RetryPolicy butNotOn(Class<? extends Throwable> throwable) {
        return butNotOn(List.of(throwable));
    }
}
