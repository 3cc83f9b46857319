package dev.sweep.spi;

import java.time.Duration;

/**
 * SPI: an attempt whose handler says that the task is no longer wanted.
 *
 * @param runTime how long its handler ran, by the worker's monotonic clock
 * @param reason why, for people, cut to 8,000 characters; what text in PostgreSQL can't hold is replaced
 */
public record Cancellation(Attempt attempt, Duration runTime, String reason) {

    public Cancellation {
        reason = StorableText.message(reason);
    }
}
