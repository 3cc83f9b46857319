package dev.sweep.worker;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Runs the tasks of one queue one after the other on one thread, which no handler leaves changed for the next. A slot whose
 * handler ignores its timeout can be replaced: its thread then ends when that handler does.
 */
final class Slot implements Runnable {

    private final String queue;
    private final String worker;
    private final TaskBuffer buffer;
    private final AttemptRunner runner;
    private final Completer completer;
    private volatile @Nullable HandlerRun run;
    private @Nullable List<HeldAttempt> share;
    private List<HeldAttempt> unended = List.of();
    private boolean isReplaced;
    /** Used by its own thread only. */
    private boolean hasPaused;

    Slot(String queue, String worker, TaskBuffer buffer, AttemptRunner runner, Completer completer) {
        this.queue = queue;
        this.worker = worker;
        this.buffer = buffer;
        this.runner = runner;
        this.completer = completer;
    }

    String queue() {
        return queue;
    }

    /** The run under way, or the last one. */
    @Nullable
    HandlerRun lastRun() {
        return run;
    }

    @Override
    public void run() {
        Thread thread = Thread.currentThread();
        ClassLoader classLoader = thread.getContextClassLoader();
        String name = thread.getName();
        List<HeldAttempt> taken = buffer.take(queue);
        while (!taken.isEmpty() && runShare(taken)) {
            thread.setContextClassLoader(classLoader);
            rename(thread, name);
            taken = buffer.take(queue);
        }
    }

    /** Only if it must be: a name is told to the operating system. */
    private static void rename(Thread thread, String name) {
        if (!thread.getName().equals(name)) {
            thread.setName(name);
        }
    }

    /** Whether it is still in a run that has timed out. */
    synchronized boolean isHanging() {
        return share != null && run != null && run.isTimedOut();
    }

    /**
     * Gives the place of this slot to another one, if it still is in this run. What it has not begun of its share goes back:
     * the handler may never return to it.
     */
    synchronized boolean replace(HandlerRun hanging) {
        if (share == null || run != hanging || isReplaced) {
            return false;
        }
        isReplaced = true;
        unended.removeAll(hanging.attempts());
        unended.forEach(HeldAttempt::stop);
        completer.release(unended);
        buffer.done(share, hanging.runningFor());
        return true;
    }

    private synchronized HandlerRun begin(List<HeldAttempt> attempts) {
        HandlerRun begun = HandlerRun.begin(attempts, Moment.now());
        run = begun;
        return begun;
    }

    /** False if this slot was replaced meanwhile. */
    private boolean runShare(List<HeldAttempt> taken) {
        StopWatch watch = StopWatch.started();
        enter(taken);
        try {
            describe(taken.get(0).task());
            runner.run(taken, this::begin, ending -> offer(taken.get(0), ending));
        } catch (Throwable outOfMemoryMostLikely) {
            completer.release(taken);
        } finally {
            endRun();
            MDC.clear();
        }
        return leave(taken, watch);
    }

    /** What the store could not serve goes back after a pause, one for all of it. */
    private void offer(HeldAttempt first, Ending ending) {
        if (!hasPaused && !ending.pause().isZero()) {
            hasPaused = true;
            first.awaitEnd(ending.pause());
        }
        ended(ending.attempt());
        completer.offer(ending);
    }

    private synchronized void ended(Attempt attempt) {
        unended.removeIf(held -> held.attempt().equals(attempt));
    }

    private void endRun() {
        HandlerRun begun = run;
        if (begun != null) {
            begun.end();
        }
    }

    private synchronized void enter(List<HeldAttempt> taken) {
        share = taken;
        unended = new ArrayList<>(taken);
        run = null;
        hasPaused = false;
    }

    private synchronized boolean leave(List<HeldAttempt> taken, StopWatch watch) {
        share = null;
        if (!isReplaced) {
            buffer.done(taken, watch.stop());
        }
        return !isReplaced;
    }

    private void describe(ClaimedTask task) {
        MDC.put("task_id", task.id().toString());
        MDC.put("task_type", task.type());
        MDC.put("queue", task.queue());
        MDC.put("attempt", Integer.toString(task.attemptNumber()));
        MDC.put("worker", worker);
    }
}
