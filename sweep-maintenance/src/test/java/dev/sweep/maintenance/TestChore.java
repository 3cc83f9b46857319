package dev.sweep.maintenance;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A chore that does as the test says, and counts its runs. */
final class TestChore implements Chore {

    /** What it does. */
    @FunctionalInterface
    interface Work {

        ChoreResult run(ChoreContext context) throws Exception;
    }

    final AtomicInteger runs = new AtomicInteger();
    private final String name;
    private final Duration interval;
    private final Work work;

    TestChore(String name, Duration interval, Work work) {
        this.name = name;
        this.interval = interval;
        this.work = work;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Duration interval() {
        return interval;
    }

    @Override
    public ChoreResult run(ChoreContext context) throws Exception {
        runs.incrementAndGet();
        return work.run(context);
    }
}
