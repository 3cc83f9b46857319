package dev.sweep.worker;

import java.time.Duration;

/**
 * How many runs of one type may be under way at once in this process, and what of it is here. Guarded by the lock of the
 * {@link TaskBuffer}.
 */
final class TypeLimit {

    private final int limit;
    private final int batchSize;
    private final RunTime runTime = new RunTime();
    private int running;
    private int waiting;

    TypeLimit(int limit, int batchSize) {
        this.limit = limit;
        this.batchSize = batchSize;
    }

    boolean mayStart() {
        return running < limit;
    }

    /** Whether what is here is as much as may run at once, so that no more need come. */
    boolean isReached() {
        return running + (waiting + batchSize - 1) / batchSize >= limit;
    }

    /** Whether one more would start soon enough to be kept here. */
    boolean hasRoom() {
        return waiting < (long) (limit - running) * batchSize + (long) (limit * batchSize * runTime.perSecond());
    }

    void entered() {
        waiting++;
    }

    void left() {
        waiting--;
    }

    void started(int tasks) {
        waiting -= tasks;
        running++;
    }

    void ended(Duration took) {
        running--;
        runTime.add(took);
    }
}
