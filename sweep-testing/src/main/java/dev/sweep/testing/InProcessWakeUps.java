package dev.sweep.testing;

import dev.sweep.spi.Listening;
import dev.sweep.spi.WakeUp;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes those who listen in this process. Thread-safe. */
final class InProcessWakeUps {

    private final List<Ear> ears = new CopyOnWriteArrayList<>();

    void announce(WakeUp wakeUp) {
        ears.forEach(ear -> ear.hear(wakeUp));
    }

    Listening listen() {
        Ear ear = new Ear();
        ears.add(ear);
        return ear;
    }

    private final class Ear implements Listening {

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Set<WakeUp> heard = new LinkedHashSet<>();
        private boolean isClosed;

        void hear(WakeUp wakeUp) {
            lock.lock();
            try {
                heard.add(wakeUp);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public Set<WakeUp> await(Duration atMost) {
            lock.lock();
            try {
                long left = atMost.toNanos();
                while (heard.isEmpty() && !isClosed && left > 0) {
                    left = changed.awaitNanos(left);
                }
                Set<WakeUp> told = Set.copyOf(heard);
                heard.clear();
                return told;
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
                return Set.of();
            } finally {
                lock.unlock();
            }
        }

        /** Nothing can be lost on the way. */
        @Override
        public Optional<String> selfTest(Duration atMost) {
            return Optional.empty();
        }

        @Override
        public void close() {
            ears.remove(this);
            lock.lock();
            try {
                isClosed = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
