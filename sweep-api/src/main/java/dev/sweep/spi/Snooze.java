package dev.sweep.spi;

import dev.sweep.Due;
import java.time.Duration;

/** SPI: an attempt that wants to be run later, at no cost in retries. */
public record Snooze(Attempt attempt, Due due) {

    /** After a delay. */
    public Snooze(Attempt attempt, Duration delay) {
        this(attempt, Due.in(delay));
    }
}
