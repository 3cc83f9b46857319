package dev.sweep.worker;

import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;

/** Tells other workers, if the store can. */
record Announcer(TaskStore store) {

    void announce(WakeUp wakeUp) {
        if (store instanceof WakingStore waking) {
            waking.announce(wakeUp);
        }
    }
}
