package dev.sweep.maintenance;

import java.time.Duration;

/** A chore and how often it runs here. */
record ScheduledChore(Chore chore, Duration interval) {

    String name() {
        return chore.name();
    }

    /** No run puts the next one off for longer, whatever comes of it. */
    Duration longestWait() {
        return interval.multipliedBy(2).plus(FailurePace.DEFAULT.longest());
    }
}
