package dev.sweep.maintenance;

import java.time.Duration;

/** A chore and how often it runs here. */
record ScheduledChore(Chore chore, Duration interval) {

    String name() {
        return chore.name();
    }
}
