package dev.sweep.maintenance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Repeats a short transaction until nothing is left or the time is up, and rests in between. */
final class Batches {

    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /** One transaction. */
    @FunctionalInterface
    interface Batch {

        /** Does a part, and returns whether there is more. */
        boolean run();
    }

    private Batches() {}

    /** Returns whether there is more. Rests as long as each batch took, so that workers have at least half of the disk. */
    static boolean run(ChoreContext context, Batch batch) {
        while (true) {
            long began = System.nanoTime();
            if (!batch.run()) {
                return false;
            }
            if (context.isTimeUp()) {
                return true;
            }
            LockSupport.parkNanos(Math.min(System.nanoTime() - began, LONGEST_REST.toNanos()));
        }
    }
}
