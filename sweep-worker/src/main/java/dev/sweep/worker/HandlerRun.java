package dev.sweep.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler, for one attempt or a batch of them, on one thread: the only way by which that thread is
 * interrupted. It ends once, by the return of its handler or by its timeout, whichever is first. Thread-safe.
 */
final class HandlerRun {

    private final List<HeldAttempt> attempts = new ArrayList<>();
    private final Set<HeldAttempt> wanted = new HashSet<>();
    private volatile long calledNanos;
    private volatile boolean isCalled;
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable Runnable cut;
    private boolean isTimedOut;
    private boolean isToldStuck;

    private HandlerRun(List<HeldAttempt> attempts) {
        wanted.addAll(attempts);
    }

    /** On the calling thread, with those of the attempts that may start. */
    static HandlerRun begin(List<HeldAttempt> attempts, Moment now) {
        Thread.interrupted();
        HandlerRun run = new HandlerRun(attempts);
        for (HeldAttempt held : attempts) {
            if (held.begin(run, now)) {
                run.attempts.add(held);
            } else {
                run.drop(held);
            }
        }
        return run;
    }

    private synchronized void drop(HeldAttempt held) {
        wanted.remove(held);
    }

    /** The handler is about to be called; what it waited for before, such as a connection, is not its time. */
    void called() {
        calledNanos = System.nanoTime();
        isCalled = true;
    }

    /** Those that did start. */
    List<HeldAttempt> attempts() {
        return attempts;
    }

    String type() {
        return attempts.get(0).task().type();
    }

    Duration runningFor() {
        return isCalled ? Duration.ofNanos(System.nanoTime() - calledNanos) : Duration.ZERO;
    }

    /**
     * What ends the handler's transaction, for when nothing will come of it: a handler that waits for an answer of the
     * database may be deaf to interrupts.
     */
    synchronized void cutWith(Runnable cut) {
        this.cut = cut;
        if (isTimedOut || wanted.isEmpty()) {
            cut.run();
        }
    }

    /** Ends the transaction of a handler that has not returned. */
    synchronized void cut() {
        if (thread != null && cut != null) {
            cut.run();
        }
    }

    /**
     * The handler has returned or thrown: no interrupt comes after this, and one that came is forgotten, as what follows
     * must not be hit by it. False if it had timed out before, so that its attempts have ended already.
     */
    synchronized boolean end() {
        if (thread != null) {
            thread = null;
            Thread.interrupted();
        }
        return !isTimedOut;
    }

    /** True if it had not ended; its thread is interrupted then. */
    synchronized boolean timeOut() {
        if (thread == null || isTimedOut) {
            return false;
        }
        isTimedOut = true;
        cut();
        return interrupt();
    }

    synchronized boolean isTimedOut() {
        return isTimedOut;
    }

    /** One of its attempts is no longer wanted. True if that interrupted the handler, because it was the last one. */
    synchronized boolean leave(HeldAttempt held) {
        if (!wanted.remove(held) || !wanted.isEmpty()) {
            return false;
        }
        cut();
        return interrupt();
    }

    /** The worker stops and waits no longer. True if that interrupted the handler. */
    synchronized boolean interrupt() {
        if (thread == null) {
            return false;
        }
        thread.interrupt();
        return true;
    }

    /** True the first time. */
    synchronized boolean tellStuck() {
        boolean isFirst = !isToldStuck && thread != null;
        isToldStuck = true;
        return isFirst;
    }
}
