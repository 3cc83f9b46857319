package dev.sweep.worker;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets callers wait for a claim that began after their call and found nothing to do anywhere. Thread-safe. */
final class IdleWatch {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long lastBegun;
    private long lastIdle;
    private int waiters;
    private boolean isClosed;

    /** Numbers a claim that is about to be sent. */
    long claimBegins() {
        lock.lock();
        try {
            return ++lastBegun;
        } finally {
            lock.unlock();
        }
    }

    /** The claim of this number found nothing, and nothing was held while it looked. */
    void foundIdle(long claim) {
        lock.lock();
        try {
            lastIdle = claim;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isAwaited() {
        lock.lock();
        try {
            return waiters > 0;
        } finally {
            lock.unlock();
        }
    }

    /** No claim will come any more. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** True when idleness was found; false if the time passed, or there will be no more claims. */
    boolean await(Duration atMost, Runnable askForClaim) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            long claimsBefore = lastBegun;
            waiters++;
            askForClaim.run();
            while (lastIdle <= claimsBefore && !isClosed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return lastIdle > claimsBefore;
        } finally {
            waiters--;
            lock.unlock();
        }
    }
}
