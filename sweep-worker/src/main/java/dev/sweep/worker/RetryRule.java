package dev.sweep.worker;

import dev.sweep.Backoff;
import dev.sweep.Due;
import dev.sweep.FailedAttempt;
import dev.sweep.NoRetryException;
import dev.sweep.RetryAfterException;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.Optional;
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

    /** When the next attempt is due after this was thrown; null: there is none, the task has failed. */
    @Nullable
    Due retryAfter(ClaimedTask task, Throwable cause) {
        if (cause instanceof NoRetryException || !hasRetriesLeft(task)) {
            return null;
        }
        return cause instanceof RetryAfterException asked ? Due.in(asked.delay()) : byPolicy(task, cause);
    }

    /** When the next attempt is due after the handler asked for it; null: there is none, the task has failed. */
    @Nullable
    Due retryAsAsked(ClaimedTask task, Throwable reported, @Nullable Due asked) {
        return asked != null && hasRetriesLeft(task) ? asked : retryAfter(task, reported);
    }

    private static boolean hasRetriesLeft(ClaimedTask task) {
        return task.retries() < task.maxRetries();
    }

    private @Nullable Due byPolicy(ClaimedTask task, Throwable cause) {
        int failures = task.retries() + 1;
        FailedAttempt failed = new FailedAttempt(task.id(), task.type(), failures, task.maxRetries(), cause);
        try {
            Optional<Duration> delay = handlers.retryPolicyOf(task.type()).delayAfter(failed, random);
            return delay.map(RetryRule::bounded).map(Due::in).orElse(null);
        } catch (RuntimeException | Error brokenPolicy) {
            // A policy of the user's that throws must not cost the failure its record.
            return Due.in(Backoff.ofDefaults().delayAfter(failures, random));
        }
    }

    private static Duration bounded(Duration delay) {
        if (delay.isNegative()) {
            return Duration.ZERO;
        }
        return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    }
}
