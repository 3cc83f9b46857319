package dev.sweep.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;

/** One queue's part of the {@link TaskBuffer}: its waiting tasks in claim order, and its slots. Guarded by the buffer's lock. */
final class Lane {

    private final int slots;
    private final int bufferLimit;
    private final HandlerRegistry handlers;
    private final TypeLimits limits;
    private final Condition hasTasks;
    private final Deque<HeldAttempt> waiting = new ArrayDeque<>();
    private final RunTime timePerTask = new RunTime();
    private int runningShares;

    Lane(int slots, int bufferLimit, HandlerRegistry handlers, TypeLimits limits, Condition hasTasks) {
        this.slots = slots;
        this.bufferLimit = bufferLimit;
        this.handlers = handlers;
        this.limits = limits;
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

    /** What a slot runs next, taken out: a task, or several of a type with a batch handler; empty: nothing may start. */
    List<HeldAttempt> start() {
        Iterator<HeldAttempt> each = waiting.iterator();
        while (each.hasNext()) {
            HeldAttempt first = each.next();
            if (limits.mayStart(first.task().type())) {
                each.remove();
                List<HeldAttempt> share = withOthers(first, each);
                limits.started(share);
                runningShares++;
                return share;
            }
        }
        return List.of();
    }

    /** A task that was lost before runs alone. */
    private List<HeldAttempt> withOthers(HeldAttempt first, Iterator<HeldAttempt> rest) {
        String type = first.task().type();
        int size = first.wasLost() ? 1 : handlers.batchSizeOf(type);
        if (size == 1) {
            return List.of(first);
        }
        List<HeldAttempt> share = new ArrayList<>();
        share.add(first);
        while (share.size() < size && rest.hasNext()) {
            HeldAttempt next = rest.next();
            if (next.task().type().equals(type) && !next.wasLost()) {
                rest.remove();
                share.add(next);
            }
        }
        return share;
    }

    void done(List<HeldAttempt> share, Duration took) {
        runningShares--;
        timePerTask.add(took.dividedBy(share.size()));
    }

    /** Runs take at least this long, as tasks show that waited so long for a slot. */
    void slowTo(Duration atLeast) {
        timePerTask.raiseTo(atLeast);
    }

    LaneLoad load() {
        return new LaneLoad(slots, runningShares, waiting.size(), prefetch());
    }

    Deque<HeldAttempt> waiting() {
        return waiting;
    }

    Condition hasTasks() {
        return hasTasks;
    }

    /** How many waiting tasks its slots will start within a second, as recent run times say. */
    private int prefetch() {
        return (int) Math.min(bufferLimit, slots * timePerTask.perSecond());
    }
}
