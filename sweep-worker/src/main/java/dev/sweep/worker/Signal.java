package dev.sweep.worker;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one waiting loop; a wake-up that comes before the wait is kept. */
final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private volatile boolean isSet;

    void wake() {
        if (isSet) {
            return;
        }
        lock.lock();
        try {
            isSet = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until {@link #wake()} or for {@code atMost}, and forgets the wake-up. */
    void await(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!isSet && left > 0) {
                left = woken.awaitNanos(left);
            }
            isSet = false;
        } finally {
            lock.unlock();
        }
    }
}
