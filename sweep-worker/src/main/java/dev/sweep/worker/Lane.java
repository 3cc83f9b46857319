package dev.sweep.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;

/** One queue's part of the {@link TaskBuffer}: its waiting tasks in claim order, and its slots. Guarded by the buffer's lock. */
final class Lane {

    private static final double WEIGHT_OF_NEWEST = 0.1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int slots;
    private final int bufferLimit;
    private final Condition hasTasks;
    private final Deque<HeldAttempt> waiting = new ArrayDeque<>();
    private int running;
    private double averageRunNanos = Double.POSITIVE_INFINITY;

    Lane(int slots, int bufferLimit, Condition hasTasks) {
        this.slots = slots;
        this.bufferLimit = bufferLimit;
        this.hasTasks = hasTasks;
    }

    /** A task that was lost before goes first: it was claimed for a slot that is free, and must not wait behind others. */
    void add(HeldAttempt held) {
        if (held.wasLost()) {
            waiting.addFirst(held);
        } else {
            waiting.addLast(held);
        }
        hasTasks.signal();
    }

    HeldAttempt start() {
        running++;
        return waiting.removeFirst();
    }

    void done(Duration took) {
        running--;
        double nanos = Math.max(1, took.toNanos());
        averageRunNanos = Double.isInfinite(averageRunNanos)
                ? nanos
                : averageRunNanos + WEIGHT_OF_NEWEST * (nanos - averageRunNanos);
    }

    /** Runs take at least this long, as tasks show that waited so long for a slot. */
    void slowTo(Duration atLeast) {
        averageRunNanos = Math.max(averageRunNanos, (double) atLeast.toNanos());
    }

    LaneLoad load() {
        return new LaneLoad(slots, running, waiting.size(), prefetch());
    }

    Deque<HeldAttempt> waiting() {
        return waiting;
    }

    Condition hasTasks() {
        return hasTasks;
    }

    /** How many waiting tasks its slots will start within a second, as recent run times say. */
    private int prefetch() {
        return (int) Math.min(bufferLimit, slots * NANOS_PER_SECOND / averageRunNanos);
    }
}
