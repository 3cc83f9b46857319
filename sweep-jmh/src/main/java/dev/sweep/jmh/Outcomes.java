package dev.sweep.jmh;

import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEventListener;

/** Waits until a worker has recorded as many outcomes as are expected. Thread-safe. */
final class Outcomes implements TaskEventListener {

    private static final long PATIENCE_MILLIS = 300_000;

    private long missing;

    /** So many more are to come. */
    synchronized void expect(long outcomes) {
        missing += outcomes;
    }

    @Override
    public synchronized void onEvent(TaskEvent event) {
        if (event instanceof TaskEvent.OutcomesRecorded recorded) {
            missing -= recorded.count();
            notifyAll();
        }
    }

    /** Until the last one is durable. */
    synchronized void await() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (missing > 0) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException(missing + " outcomes are missing after five minutes");
            }
            wait(left);
        }
    }
}
