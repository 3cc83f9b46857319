package dev.sweep.cli.bench;

import java.time.Duration;

/** Lets time pass. */
@FunctionalInterface
public interface Pause {

    /** Returns after so long; throws if the bench is to stop. */
    void pause(Duration time) throws InterruptedException;
}
