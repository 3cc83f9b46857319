package dev.sweep;

import java.time.Duration;

/** Thrown by handlers: the attempt failed; if the task has retries left, the next one follows after this delay. */
public class RetryAfterException extends SweepException {

    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /** @param delay zero to 3,650 days */
    public RetryAfterException(Duration delay, String message) {
        super(message);
        this.delay = checked(delay);
    }

    /** @param delay zero to 3,650 days */
    public RetryAfterException(Duration delay, String message, Throwable cause) {
        super(message, cause);
        this.delay = checked(delay);
    }

    public Duration delay() {
        return delay;
    }

    private static Duration checked(Duration delay) {
        return Bounds.duration("retry delay", delay, Duration.ZERO, Bounds.MAX_DELAY);
    }
}
