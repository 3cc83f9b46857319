package dev.sweep.spi;

import java.time.Duration;

/**
 * SPI: an attempt that succeeded.
 *
 * @param runTime how long its handler ran, by the worker's monotonic clock
 */
public record Completion(Attempt attempt, Duration runTime) {}
