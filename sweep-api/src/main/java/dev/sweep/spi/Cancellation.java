package dev.sweep.spi;

import java.time.Duration;

/**
 * SPI: an attempt whose handler says that the task is no longer wanted.
 *
 * @param runTime how long its handler ran, by the worker's monotonic clock
 * @param reason why, for people; the store cuts it to its bound and replaces what it can't hold
 */
public record Cancellation(Attempt attempt, Duration runTime, String reason) {}
