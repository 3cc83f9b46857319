package dev.sweep.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One queue's part of the {@link TaskBuffer}: its waiting tasks in claim order, and its slots. While runs are quick a few slots
 * do them all: more would only get in each other's way. Guarded by the buffer's lock.
 */
final class Lane {

    /** Of quick tasks they run more than a claimer can bring. */
    private static final int FEW_SLOTS = 2;
    /** A slot that has been at a share for longer is not counted among the few. */
    private static final long STALL_NANOS = 1_000_000;

    private final int slots;
    private final int bufferLimit;
    private final HandlerRegistry handlers;
    private final TypeLimits limits;
    private final Condition hasTasks;
    private final LongSupplier nanoTime;
    private final Deque<HeldAttempt> waiting = new ArrayDeque<>();
    private final RunTime timePerTask = new RunTime();
    private final Quickness quickness = new Quickness();
    /** When the shares that run were begun. */
    private final IdentityHashMap<List<HeldAttempt>, Long> begun = new IdentityHashMap<>();

    /** One of the slots that wait looks now and then whether the few get on. */
    private boolean isWatched;

    Lane(
            int slots,
            int bufferLimit,
            HandlerRegistry handlers,
            TypeLimits limits,
            Condition hasTasks,
            LongSupplier nanoTime) {
        this.slots = slots;
        this.bufferLimit = bufferLimit;
        this.handlers = handlers;
        this.limits = limits;
        this.hasTasks = hasTasks;
        this.nanoTime = nanoTime;
    }

    /** A task that was lost before goes first: it was claimed for a slot that is free, and must not wait behind others. */
    void add(HeldAttempt held) {
        if (held.wasLost()) {
            waiting.addFirst(held);
        } else {
            waiting.addLast(held);
        }
    }

    /** Wakes slots for tasks that were added. */
    void wake(int added) {
        int useful = quickness.isQuick() ? FEW_SLOTS - atWork() + (isWatched ? 0 : 1) : added;
        for (int i = 0; i < Math.min(added, useful); i++) {
            hasTasks.signal();
        }
    }

    /** Something may start now that could not before. */
    void wakeOne() {
        hasTasks.signal();
    }

    void wakeAll() {
        hasTasks.signalAll();
    }

    /** Waits for what a slot runs next; empty: there will be none. */
    List<HeldAttempt> take(BooleanSupplier isClosed) {
        List<HeldAttempt> share = start();
        while (share.isEmpty() && !isClosed.getAsBoolean()) {
            if (isWatched || waiting.isEmpty() || !hasEnoughAtWork()) {
                hasTasks.awaitUninterruptibly();
            } else {
                isWatched = true;
                try {
                    hasTasks.awaitNanos(STALL_NANOS);
                } catch (InterruptedException stray) {
                    // Nothing runs on this thread that it could be meant for.
                } finally {
                    isWatched = false;
                }
            }
            share = start();
        }
        return share;
    }

    private boolean hasEnoughAtWork() {
        return quickness.isQuick() && atWork() >= FEW_SLOTS;
    }

    private int atWork() {
        long now = nanoTime.getAsLong();
        int count = 0;
        for (long since : begun.values()) {
            count += now - since < STALL_NANOS ? 1 : 0;
        }
        return count;
    }

    /** What a slot runs next, taken out: a task, or several of a type with a batch handler; empty: nothing may start. */
    List<HeldAttempt> start() {
        if (hasEnoughAtWork()) {
            return List.of();
        }
        Iterator<HeldAttempt> each = waiting.iterator();
        while (each.hasNext()) {
            HeldAttempt first = each.next();
            if (limits.mayStart(first.task().type())) {
                each.remove();
                List<HeldAttempt> share = withOthers(first, each);
                limits.started(share);
                begun.put(share, nanoTime.getAsLong());
                if (quickness.isQuick() && !isWatched && !waiting.isEmpty()) {
                    hasTasks.signal();
                }
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
        begun.remove(share);
        timePerTask.add(took.dividedBy(share.size()));
        boolean wasQuick = quickness.isQuick();
        quickness.add(took);
        if (wasQuick && !quickness.isQuick()) {
            hasTasks.signalAll();
        }
    }

    /** Runs take at least this long, as tasks show that waited so long for a slot. */
    void slowTo(Duration atLeast) {
        timePerTask.raiseTo(atLeast);
    }

    LaneLoad load() {
        return new LaneLoad(slots, begun.size(), waiting.size(), prefetch());
    }

    Deque<HeldAttempt> waiting() {
        return waiting;
    }

    /** How many waiting tasks its slots will start within a second, as recent run times say. */
    private int prefetch() {
        return (int) Math.min(bufferLimit, slots * timePerTask.perSecond());
    }
}
