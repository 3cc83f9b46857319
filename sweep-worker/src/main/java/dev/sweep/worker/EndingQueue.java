package dev.sweep.worker;

import dev.sweep.spi.Attempt;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Endings on their way to the store: slots add, the completer takes. Bounded, so that an outage of the store holds the slots. */
final class EndingQueue {

    static final int CAPACITY = 5_000;
    private static final long HURRY_NANOS = Duration.ofMillis(200).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasRoom = lock.newCondition();
    private final Condition isSettled = lock.newCondition();
    private final Deque<Ending> arrived = new ArrayDeque<>();
    private int unsettled;
    private boolean isAbandoned;

    void addWhenThereIsRoom(Ending ending) {
        lock.lock();
        try {
            while (unsettled >= CAPACITY && !isAbandoned) {
                hasRoom.awaitUninterruptibly();
            }
            arrived.add(ending);
            unsettled++;
        } finally {
            lock.unlock();
        }
    }

    void add(Ending ending) {
        lock.lock();
        try {
            arrived.add(ending);
            unsettled++;
        } finally {
            lock.unlock();
        }
    }

    /** Moves endings over until there are {@code limit}. */
    void drainTo(Map<Attempt, Ending> pending, int limit) {
        lock.lock();
        try {
            while (pending.size() < limit && !arrived.isEmpty()) {
                Ending ending = arrived.removeFirst();
                if (pending.put(ending.attempt(), ending) != null) {
                    unsettled--;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    void settled(int count) {
        lock.lock();
        try {
            unsettled -= count;
            hasRoom.signalAll();
            if (unsettled == 0) {
                isSettled.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    int unsettled() {
        lock.lock();
        try {
            return unsettled;
        } finally {
            lock.unlock();
        }
    }

    void abandon() {
        lock.lock();
        try {
            isAbandoned = true;
            hasRoom.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean awaitSettled(Deadline deadline, Runnable hurry) {
        lock.lock();
        try {
            while (unsettled > 0 && !deadline.hasPassed()) {
                hurry.run();
                isSettled.await(Math.min(HURRY_NANOS, deadline.left().toNanos()), TimeUnit.NANOSECONDS);
            }
            return unsettled == 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
