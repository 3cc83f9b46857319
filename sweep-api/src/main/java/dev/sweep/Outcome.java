package dev.sweep;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an attempt ends, as its handler says. A handler that throws asks for {@link #retry(String)}. */
public sealed interface Outcome {

    /**
     * The work is done.
     *
     * @param result kept with the task as JSON, within the bounds of a payload; null: none
     */
    record Complete(@Nullable Object result) implements Outcome {}

    /**
     * The attempt failed; run the task again while it has retries left.
     *
     * @param reason kept as the task's error
     * @param due when the next attempt is due; null: as the type's retry policy says
     */
    record Retry(String reason, @Nullable Due due) implements Outcome {
        public Retry {
            Bounds.given("retry reason", reason);
        }
    }

    /** Not now: run the task again later; this uses no retry. */
    record Snooze(Due due) implements Outcome {
        public Snooze {
            Bounds.given("snooze due", due);
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

    /**
     * The task is no longer wanted: it is cancelled, which is no failure.
     *
     * @param reason kept as the task's error
     */
    record Cancel(String reason) implements Outcome {
        public Cancel {
            Bounds.given("cancel reason", reason);
        }
    }

    static Outcome complete() {
        return new Complete(null);
    }

    /** The work is done, and this is what came of it: read it with {@link Sweep#result}. */
    static Outcome complete(Object result) {
        return new Complete(Bounds.given("result", result));
    }

    static Outcome retry(String reason) {
        return new Retry(reason, null);
    }

    /** With a delay of zero to 3,650 days. */
    static Outcome retryAfter(Duration delay, String reason) {
        return new Retry(reason, in("retry delay", delay));
    }

    static Outcome retryAt(Instant dueAt, String reason) {
        return new Retry(reason, Due.at(dueAt));
    }

    /** With a delay of zero to 3,650 days. */
    static Outcome snooze(Duration delay) {
        return new Snooze(in("snooze delay", delay));
    }

    static Outcome snoozeUntil(Instant dueAt) {
        return new Snooze(Due.at(dueAt));
    }

    static Outcome fail(String reason) {
        return new Fail(reason);
    }

    static Outcome cancel(String reason) {
        return new Cancel(reason);
    }

    private static Due in(String name, Duration delay) {
        return Due.in(Bounds.duration(name, delay, Duration.ZERO, Bounds.MAX_DELAY));
    }
}
