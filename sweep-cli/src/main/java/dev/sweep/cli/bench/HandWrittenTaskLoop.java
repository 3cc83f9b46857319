package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Threads that claim, handle and complete, each on its own connection, until they are told to stop. */
final class HandWrittenTaskLoop implements TaskLoop {

    private final List<LoopSession> sessions;
    private final long idleLookNanos;
    private final Progress progress;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isStopping;

    HandWrittenTaskLoop(List<LoopSession> sessions, Duration idleLook, Progress progress) {
        this.sessions = List.copyOf(sessions);
        this.idleLookNanos = idleLook.toNanos();
        this.progress = progress;
    }

    @Override
    public void start() {
        for (LoopSession session : sessions) {
            Thread thread = new Thread(() -> run(session), "bench-loop-" + threads.size());
            threads.add(thread);
            thread.start();
        }
    }

    private void run(LoopSession session) {
        try {
            while (!isStopping) {
                handle(session, session.claim());
            }
        } catch (SQLException failed) {
            throw new BenchException("a thread of the loop failed: " + failed.getMessage(), failed);
        }
    }

    private void handle(LoopSession session, List<Claimed> tasks) throws SQLException {
        if (tasks.isEmpty()) {
            LockSupport.parkNanos(idleLookNanos);
        } else {
            progress.claimed();
            tasks.forEach(task -> progress.started(task.payload()));
            session.complete(tasks);
            progress.finished(tasks.size());
        }
    }

    @Override
    public void close() throws SQLException {
        isStopping = true;
        for (Thread thread : threads) {
            join(thread);
        }
        for (LoopSession session : sessions) {
            session.close();
        }
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
