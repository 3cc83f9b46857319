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
    private @Nullable Thread handlerThread;
    private @Nullable Runnable cut;
    private boolean isGone;
    private boolean isStopped;

    HeldAttempt(ClaimedTask task, HeldLease lease, Moment claimedAt) {
        this.task = task;
        this.lease = lease;
        this.claimedAt = claimedAt;
    }

    /** From here on interrupts reach the thread; false if the attempt must not start any more. */
    synchronized boolean begin(Moment now) {
        if (isGone || !lease.holds(now)) {
            return false;
        }
        handlerThread = Thread.currentThread();
        return true;
    }

    /**
     * What ends the handler's transaction, for when the attempt no longer holds its task or the worker waits no longer: a
     * handler that waits for an answer of the database may be deaf to interrupts. Never called once the handler has ended.
     */
    synchronized void cutWith(Runnable cut) {
        this.cut = cut;
    }

    /** No interrupt comes after this, and one that came is forgotten: what follows must not be hit by it. */
    synchronized void endHandler() {
        if (handlerThread != null) {
            handlerThread = null;
            cut = null;
            Thread.interrupted();
        }
    }

    /** The attempt no longer holds its task. True if that interrupted its handler, which happens once. */
    synchronized boolean lose() {
        boolean isFirst = !isGone;
        isGone = true;
        notifyAll();
        boolean isInterrupted = isFirst && interrupt();
        if (isInterrupted) {
            cut();
        }
        return isInterrupted;
    }

    /** Whether it no longer holds its task, as far as this process knows. */
    synchronized boolean isLost() {
        return isGone;
    }

    /** The worker stops and waits no longer. True if that interrupted the handler. */
    synchronized boolean stop() {
        isStopped = true;
        notifyAll();
        return interrupt();
    }

    /** The worker is gone: what the handler has not done by now comes to nothing. */
    synchronized void abandon() {
        cut();
    }

    /** Waits on behalf of a slot, until the time is over or the attempt has to end. */
    synchronized void awaitStop(Duration atMost) {
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

    private void cut() {
        if (cut != null) {
            cut.run();
        }
    }

    private boolean interrupt() {
        if (handlerThread == null) {
            return false;
        }
        handlerThread.interrupt();
        return true;
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

    Run run() {
        return new Run(task.id(), task.type(), task.queue(), task.attemptNumber());
    }
}
