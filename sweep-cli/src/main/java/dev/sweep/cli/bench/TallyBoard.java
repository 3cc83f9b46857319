package dev.sweep.cli.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Counts what one process has done, and tells it while it grows. Thread-safe. */
final class TallyBoard implements Progress, AutoCloseable {

    private static final Duration REPORT_EVERY = Duration.ofMillis(5);

    private final boolean isTimed;
    private final AtomicLong finished = new AtomicLong();
    private final AtomicLong firstAt = new AtomicLong();
    private final AtomicLong lastAt = new AtomicLong();
    private final List<Long> ages = new ArrayList<>();
    private PrintStream out = System.out;
    private final Thread reporter = new Thread(this::report, "bench-report");
    private volatile boolean isClosed;

    TallyBoard(boolean isTimed) {
        this.isTimed = isTimed;
    }

    void reportTo(PrintStream stream) {
        out = stream;
        reporter.start();
    }

    @Override
    public void claimed() {
        if (firstAt.get() == 0) {
            firstAt.compareAndSet(0, Micros.now());
        }
    }

    @Override
    public void started(String payload) {
        if (isTimed) {
            long age = Payloads.age(payload).toNanos() / 1000;
            synchronized (ages) {
                ages.add(age);
            }
        }
    }

    @Override
    public void finished(int count) {
        lastAt.set(Micros.now());
        finished.addAndGet(count);
    }

    private void report() {
        long told = 0;
        while (!isClosed) {
            LockSupport.parkNanos(REPORT_EVERY.toNanos());
            told = tell(told);
        }
    }

    /** Returns the count that has been told. */
    private long tell(long told) {
        long now = finished.get();
        if (now != told) {
            out.println("at " + now + " " + firstAt + " " + lastAt);
        }
        return now;
    }

    /** Tells what is left to tell. */
    @Override
    public void close() {
        isClosed = true;
        try {
            reporter.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        tell(0);
        synchronized (ages) {
            if (!ages.isEmpty()) {
                out.println("ages " + ages.stream().map(String::valueOf).collect(Collectors.joining(",")));
            }
        }
    }
}
