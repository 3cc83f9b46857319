package dev.sweep.worker;

import dev.sweep.Backoff;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides whether a failed attempt is followed by another one, and when. */
final class RetryRule {

    private static final Duration LONGEST = Duration.ofDays(3650);

    private final HandlerRegistry handlers;
    private final RandomGenerator random;

    RetryRule(HandlerRegistry handlers, RandomGenerator random) {
        this.handlers = handlers;
        this.random = random;
    }

    /** The delay before the next attempt; null if the task has no retries left. */
    @Nullable
    Duration retryIn(ClaimedTask task) {
        return task.retries() < task.maxRetries() ? backoff(task) : null;
    }

    /** Like {@link #retryIn(ClaimedTask)}, but after the delay that the handler asked for; null: it did not ask. */
    @Nullable
    Duration retryIn(ClaimedTask task, @Nullable Duration asked) {
        @Nullable Duration byRule = retryIn(task);
        return byRule == null || asked == null ? byRule : asked;
    }

    private Duration backoff(ClaimedTask task) {
        int failures = task.retries() + 1;
        try {
            return bounded(handlers.backoffOf(task.type()).delayAfter(failures, random));
        } catch (RuntimeException | Error brokenBackoff) {
            // A backoff of the user's that throws must not cost the failure its record.
            return Backoff.ofDefaults().delayAfter(failures, random);
        }
    }

    private static Duration bounded(Duration delay) {
        if (delay.isNegative()) {
            return Duration.ZERO;
        }
        return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    }
}
