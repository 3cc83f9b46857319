package dev.sweep.worker;

import dev.sweep.spi.Attempt;
import java.util.LinkedHashMap;
import java.util.Map;

/** One lease of this process and what it still holds. The attempts are guarded by {@link HeldLeases}. */
final class HeldLease {

    private final Map<Attempt, HeldAttempt> attempts = new LinkedHashMap<>();
    private volatile Moment end;

    /** @param end when it lapses unless it is extended, counted from before the claim was sent */
    HeldLease(Moment end) {
        this.end = end;
    }

    void extend(Moment confirmedEnd) {
        end = confirmedEnd;
    }

    /** Whether its last confirmed end lies ahead. */
    boolean holds(Moment now) {
        return end.isAhead(now);
    }

    Moment end() {
        return end;
    }

    Map<Attempt, HeldAttempt> attempts() {
        return attempts;
    }
}
