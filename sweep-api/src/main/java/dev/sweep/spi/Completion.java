package dev.sweep.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * SPI: an attempt that succeeded.
 *
 * @param runTime how long its handler ran, by the worker's monotonic clock
 * @param result what came of it, as JSON text; null: nothing
 */
public record Completion(
        Attempt attempt, Duration runTime, @Nullable String result) {

    public Completion(Attempt attempt, Duration runTime) {
        this(attempt, runTime, null);
    }

    /** Without the result: it may hold what must not be logged. */
    @Override
    public String toString() {
        return "Completion[" + attempt + ", runTime=" + runTime + "]";
    }
}
