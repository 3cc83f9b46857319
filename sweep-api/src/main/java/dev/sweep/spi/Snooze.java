package dev.sweep.spi;

import java.time.Duration;

/**
 * SPI: an attempt that wants to be run later, at no cost in retries.
 *
 * @param delay from now, by the store's clock
 */
public record Snooze(Attempt attempt, Duration delay) {}
