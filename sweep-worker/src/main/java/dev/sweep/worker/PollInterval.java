package dev.sweep.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** When to look again although nothing says so: soon after activity, then backing off. Used by one thread. */
final class PollInterval {

    private final Duration shortest;
    private final Supplier<Duration> longest;
    private Duration current;
    private boolean waitsForDue;
    private long dueAtNanos;

    PollInterval(Duration shortest, Supplier<Duration> longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.current = shortest;
    }

    /**
     * The wait after a claim.
     *
     * @param nextDueIn what the store knows; nothing or less says only that what is due was not for this worker, and so
     *     does a look that was made for it and brought nothing
     */
    Duration after(int came, Optional<Duration> nextDueIn, boolean isAwaited) {
        Duration doubled = current.multipliedBy(2);
        current = came > 0 || isAwaited ? shortest : min(doubled, longest.get());
        Duration wait = Pace.jittered(current);
        long now = System.nanoTime();
        boolean wasInVain = waitsForDue && came == 0 && now - dueAtNanos >= 0;
        Duration due = nextDueIn
                .filter(it -> !wasInVain && !it.isNegative() && !it.isZero())
                .orElse(wait);
        waitsForDue = due.compareTo(wait) < 0;
        dueAtNanos = now + due.toNanos();
        return waitsForDue ? due : wait;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
