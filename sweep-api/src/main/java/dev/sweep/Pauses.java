package dev.sweep;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits between two looks at the store. */
final class Pauses {

    private Pauses() {}

    /** Waits so long; an interrupt ends it, also one that came before. */
    static void pause(Duration length) throws InterruptedException {
        boolean ignored = new CountDownLatch(1).await(length.toNanos(), TimeUnit.NANOSECONDS);
    }
}
