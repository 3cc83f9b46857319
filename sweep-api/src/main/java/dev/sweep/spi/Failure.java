package dev.sweep.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * SPI: an attempt that failed.
 *
 * @param runTime how long its handler ran, by the worker's monotonic clock
 * @param retryIn the delay before the next attempt; null: none, the task has failed for good
 * @param errorClass what was thrown, a class name
 * @param message why, for people; the store cuts it to its bound and replaces what it can't hold
 */
public record Failure(
        Attempt attempt, Duration runTime, @Nullable Duration retryIn, String errorClass, String message) {}
