package dev.sweep.worker;

import dev.sweep.TaskId;
import dev.sweep.event.TaskEvent.Run;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A claimed task in this process, from the claim until its outcome is durable. Thread-safe. */
final class HeldAttempt {

    private final ClaimedTask task;
    private final HeldLease lease;
    private final Moment claimedAt;
    private @Nullable HandlerRun run;
    private boolean isGone;
    private boolean isStopped;

    HeldAttempt(ClaimedTask task, HeldLease lease, Moment claimedAt) {
        this.task = task;
        this.lease = lease;
        this.claimedAt = claimedAt;
    }

    /** It is part of this run from here on; false if it must not start any more. */
    synchronized boolean begin(HandlerRun handlerRun, Moment now) {
        if (isGone || isStopped || !lease.holds(now)) {
            return false;
        }
        run = handlerRun;
        return true;
    }

    /** The attempt no longer holds its task. True if that interrupted its handler, which happens once. */
    synchronized boolean lose() {
        boolean isFirst = !isGone;
        isGone = true;
        notifyAll();
        return isFirst && run != null && run.leave(this);
    }

    /** Whether it no longer holds its task, as far as this process knows. */
    synchronized boolean isLost() {
        return isGone;
    }

    /** The worker stops and waits no longer. True if that interrupted the handler. */
    synchronized boolean stop() {
        isStopped = true;
        notifyAll();
        return run != null && run.interrupt();
    }

    /** The worker is gone: what the handler has not done by now comes to nothing. */
    synchronized void abandon() {
        if (run != null) {
            run.cut();
        }
    }

    /** Waits on behalf of a slot, until the time is over or there is no more point in it. */
    synchronized void awaitEnd(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        try {
            for (long left = atMost.toMillis(); left > 0 && !isStopped && !isGone; left = millisUntil(end)) {
                wait(left);
            }
        } catch (InterruptedException hurried) {
            // The wait is over; nothing else on this thread shall be.
        }
    }

    private static long millisUntil(long endNanos) {
        return TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    }

    /** Whether the handler was interrupted because the worker stops, so that its failure is not its own. */
    synchronized boolean isStopped() {
        return isStopped;
    }

    ClaimedTask task() {
        return task;
    }

    Attempt attempt() {
        return task.attempt();
    }

    TaskId id() {
        return task.id();
    }

    Moment claimedAt() {
        return claimedAt;
    }

    boolean wasLost() {
        return task.losses() > 0;
    }

    Run told() {
        return new Run(task.id(), task.type(), task.queue(), task.attemptNumber());
    }
}
