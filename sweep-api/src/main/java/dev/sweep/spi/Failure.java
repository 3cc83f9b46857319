package dev.sweep.spi;

import dev.sweep.Due;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * SPI: an attempt that failed.
 *
 * @param runTime how long its handler ran, by the worker's monotonic clock
 * @param retry when the next attempt is due; null: there is none, the task has failed for good
 * @param errorClass what was thrown, a class name
 * @param message why, for people; the store cuts it to its bound and replaces what it can't hold
 */
public record Failure(
        Attempt attempt, Duration runTime, @Nullable Due retry, String errorClass, String message) {

    /** One that is followed by a retry after a delay. */
    public Failure(Attempt attempt, Duration runTime, Duration retryIn, String errorClass, String message) {
        this(attempt, runTime, Due.in(retryIn), errorClass, message);
    }

    /** One that no retry follows. */
    public static Failure forGood(Attempt attempt, Duration runTime, String errorClass, String message) {
        return new Failure(attempt, runTime, (Due) null, errorClass, message);
    }
}
