package dev.sweep.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long this process has been in touch with the store. After a gap that can have cost other workers their leases too, such
 * as a failover that no start of the server tells of, they need a lease's time to beat again before anyone may judge them.
 * Thread-safe.
 */
final class Contact {

    private final Duration leaseDuration;
    /** Beats come more often than twice a lease; a longer gap is one of the store. */
    private final Duration longestGap;

    private @Nullable Moment lastMade;
    private @Nullable Moment backSince;

    Contact(Duration leaseDuration) {
        this.leaseDuration = leaseDuration;
        this.longestGap = leaseDuration.dividedBy(2);
    }

    /** The store has answered a beat. */
    synchronized void made(Moment now) {
        if (isGap(now)) {
            backSince = now;
        }
        lastMade = now;
    }

    /** Whether the store has answered a beat later than this. */
    synchronized boolean wasMadeSince(Moment moment) {
        return lastMade != null && lastMade.since(moment).compareTo(Duration.ZERO) > 0;
    }

    /** Whether leases that have lapsed by now have lapsed by the fault of their workers. */
    synchronized boolean isSteady(Moment now) {
        boolean isBackLately = backSince != null && now.since(backSince).compareTo(leaseDuration) <= 0;
        return !isBackLately && !isGap(now);
    }

    private boolean isGap(Moment now) {
        return lastMade != null && now.since(lastMade).compareTo(longestGap) > 0;
    }
}
