package dev.sweep.jooq;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends wake-ups behind their announcers' backs: the first at once, then at most one statement every 10 ms with all that
 * has gathered, each text once. They are hints, so those of an outage are dropped. One daemon thread, which is there only
 * while there is something to say. Thread-safe.
 */
final class Announcer implements AutoCloseable {

    /** Sends what has gathered. */
    @FunctionalInterface
    interface Sender {

        void send(Set<String> texts) throws Exception;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private static final Duration SPACING = Duration.ofMillis(10);
    /** After a fault, so that a database that is away is not hammered. */
    private static final Duration FAULT_PAUSE = Duration.ofSeconds(1);
    /** More than one statement should carry; only queues by the thousand come near it. */
    private static final int MAX_PENDING = 5_000;

    /** A thread that has had nothing to send for so long ends. */
    private static final Duration IDLE_TIME = Duration.ofSeconds(1);

    private static final Duration FLUSH_GRACE = Duration.ofMillis(500);

    private final Sender sender;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Set<String> pending = new LinkedHashSet<>();
    private @Nullable Thread thread;
    private boolean isClosed;

    Announcer(Sender sender) {
        this.sender = sender;
    }

    /** Returns at once. */
    void announce(String text) {
        lock.lock();
        try {
            if (!isClosed && pending.size() < MAX_PENDING) {
                pending.add(text);
                start();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends what is left if that is soon done. */
    @Override
    public void close() {
        @Nullable Thread sending;
        lock.lock();
        try {
            isClosed = true;
            sending = thread;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (sending != null && sending != Thread.currentThread()) {
            joinBriefly(sending);
        }
    }

    private static void joinBriefly(Thread sending) {
        try {
            sending.join(FLUSH_GRACE.toMillis());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** A process that can't make threads has other worries; the poll finds the task. */
    private void start() {
        if (thread == null) {
            Thread started = new Thread(this::run, "sweep-announcer");
            started.setDaemon(true);
            try {
                started.start();
                thread = started;
            } catch (OutOfMemoryError noThread) {
                pending.clear();
            }
        }
    }

    private void run() {
        Set<String> texts = next(Duration.ZERO);
        while (!texts.isEmpty()) {
            texts = next(send(texts) ? SPACING : FAULT_PAUSE);
        }
    }

    private boolean send(Set<String> texts) {
        try {
            sender.send(texts);
            return true;
        } catch (Throwable away) {
            LOG.debug("{} wake-ups were dropped; their tasks are found by polling", texts.size(), away);
            return false;
        }
    }

    /** What has gathered, at the earliest after {@code pause}; empty if that is nothing, and then this thread is not needed. */
    private Set<String> next(Duration pause) {
        lock.lock();
        try {
            pause(pause.toNanos());
            awaitSome(IDLE_TIME.toNanos());
            Set<String> texts = pending;
            pending = new LinkedHashSet<>();
            if (texts.isEmpty()) {
                thread = null;
            }
            return texts;
        } finally {
            lock.unlock();
        }
    }

    private void pause(long nanos) {
        long left = nanos;
        while (!isClosed && left > 0) {
            left = awaited(left);
        }
    }

    private void awaitSome(long nanos) {
        long left = nanos;
        while (!isClosed && pending.isEmpty() && left > 0) {
            left = awaited(left);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The callers loop.
    private long awaited(long nanos) {
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException stray) {
            // Nobody has a reason to interrupt it, and a wait cut short does no harm.
            return 0;
        }
    }
}
