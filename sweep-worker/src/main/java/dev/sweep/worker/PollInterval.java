package dev.sweep.worker;

import java.time.Duration;
import java.util.Optional;

/** When to look again although nothing says so: soon after activity, then backing off. Used by one thread. */
final class PollInterval {

    private final Duration shortest;
    private final Duration longest;
    private Duration current;

    PollInterval(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.current = shortest;
    }

    /**
     * The wait after a claim.
     *
     * @param nextDueIn what the store knows; nothing or less says only that what is due was not for this worker
     */
    Duration after(int came, Optional<Duration> nextDueIn, boolean isAwaited) {
        Duration doubled = current.multipliedBy(2);
        current = came > 0 || isAwaited ? shortest : doubled.compareTo(longest) > 0 ? longest : doubled;
        Duration wait = Pace.jittered(current);
        return nextDueIn
                .filter(due -> !due.isNegative() && !due.isZero() && due.compareTo(wait) < 0)
                .orElse(wait);
    }
}
