package dev.sweep.spi;

import dev.sweep.Due;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * SPI: an attempt that failed.
 *
 * @param runTime how long its handler ran, by the worker's monotonic clock
 * @param retry when the next attempt is due; null: there is none, the task has failed for good
 * @param errorClass what was thrown, a class name, cut to 300 characters
 * @param message why, for people, cut to 8,000 characters; what text in PostgreSQL can't hold is replaced
 */
public record Failure(
        Attempt attempt, Duration runTime, @Nullable Due retry, String errorClass, String message) {

    public Failure {
        errorClass = StorableText.name(errorClass);
        message = StorableText.message(message);
    }

    /** One that is followed by a retry after a delay. */
    public Failure(Attempt attempt, Duration runTime, Duration retryIn, String errorClass, String message) {
        this(attempt, runTime, Due.in(retryIn), errorClass, message);
    }

    /** One that no retry follows. */
    public static Failure forGood(Attempt attempt, Duration runTime, String errorClass, String message) {
        return new Failure(attempt, runTime, (Due) null, errorClass, message);
    }
}
