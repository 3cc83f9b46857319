package dev.sweep;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt ends, as its handler says. A handler that throws asks for {@link #retry(String)}. */
public sealed interface Outcome {

    /** The work is done. */
    record Complete() implements Outcome {}

    /**
     * The attempt failed; run the task again while it has retries left.
     *
     * @param reason kept as the task's error
     * @param after the delay before the next attempt; null: as the type's backoff says
     */
    record Retry(String reason, @Nullable Duration after) implements Outcome {
        public Retry {
            Bounds.given("retry reason", reason);
            if (after != null) {
                Bounds.duration("retry delay", after, Duration.ZERO, Bounds.MAX_DELAY);
            }
        }
    }

    /**
     * Not now: run the task again later; this uses no retry.
     *
     * @param delay zero to 3,650 days
     */
    record Snooze(Duration delay) implements Outcome {
        public Snooze {
            Bounds.duration("snooze delay", delay, Duration.ZERO, Bounds.MAX_DELAY);
        }
    }

    /**
     * The task can never succeed; it fails now, whatever retries it has left.
     *
     * @param reason kept as the task's error
     */
    record Fail(String reason) implements Outcome {
        public Fail {
            Bounds.given("fail reason", reason);
        }
    }

    static Outcome complete() {
        return new Complete();
    }

    static Outcome retry(String reason) {
        return new Retry(reason, null);
    }

    static Outcome retryAfter(Duration delay, String reason) {
        return new Retry(reason, delay);
    }

    static Outcome snooze(Duration delay) {
        return new Snooze(delay);
    }

    static Outcome fail(String reason) {
        return new Fail(reason);
    }
}
