package dev.sweep.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Stands between the claimer, which adds, and the slots, which take: per queue in claim order. It knows what waits and what
 * runs. Thread-safe.
 */
final class TaskBuffer {

    private static final double WEIGHT_OF_NEWEST = 0.05;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noneRuns = lock.newCondition();
    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final Set<HeldAttempt> running = new LinkedHashSet<>();
    private final TypeLimits limits;
    private final HeldLeases leases;
    private final Consumer<String> onRoom;
    private final Runnable onTypeRoom;
    private double averageBytes = 1;
    private long bytes;
    private boolean isClosed;

    /**
     * @param onRoom told when a queue has a free slot, or only half of what may wait
     * @param onTypeRoom told when more of a type with a limit may come
     */
    TaskBuffer(
            Map<String, Integer> slots,
            int bufferLimit,
            HandlerRegistry handlers,
            HeldLeases leases,
            Consumer<String> onRoom,
            Runnable onTypeRoom) {
        this.limits = new TypeLimits(handlers);
        this.leases = leases;
        this.onRoom = onRoom;
        this.onTypeRoom = onTypeRoom;
        slots.forEach((queue, count) ->
                lanes.put(queue, new Lane(count, bufferLimit, handlers, limits, lock.newCondition())));
    }

    /**
     * Adds tasks in claim order. Returns those it did not take: it is closed, knows no such queue, or has enough of a type
     * with a limit.
     */
    List<HeldAttempt> add(List<HeldAttempt> claimed) {
        List<HeldAttempt> refused = new ArrayList<>();
        lock.lock();
        try {
            for (HeldAttempt held : claimed) {
                Lane lane = lanes.get(held.task().queue());
                if (isClosed || lane == null || !limits.hasRoom(held)) {
                    refused.add(held);
                } else {
                    lane.add(held);
                    entered(held);
                }
            }
        } finally {
            lock.unlock();
        }
        return refused;
    }

    /**
     * Waits for the next task of a queue, or for several of a type with a batch handler; they run until {@link #done}.
     * Empty: closed, there will be none.
     */
    List<HeldAttempt> take(String queue) {
        lock.lock();
        try {
            Lane lane = laneOf(queue);
            List<HeldAttempt> share = lane.start();
            while (share.isEmpty()) {
                if (isClosed) {
                    return share;
                }
                lane.hasTasks().awaitUninterruptibly();
                share = lane.start();
            }
            started(queue, lane, share);
            return share;
        } finally {
            lock.unlock();
        }
    }

    private void started(String queue, Lane lane, List<HeldAttempt> share) {
        share.forEach(held -> bytes -= sizeOf(held));
        running.addAll(share);
        int half = lane.load().prefetch() / 2;
        int left = lane.waiting().size();
        if (left <= half && left + share.size() > half) {
            onRoom.accept(queue);
        }
    }

    /** The slot of these tasks is free again. */
    void done(List<HeldAttempt> share, Duration took) {
        lock.lock();
        try {
            share.forEach(running::remove);
            String queue = share.get(0).task().queue();
            Lane lane = laneOf(queue);
            lane.done(share, took);
            if (limits.ended(share, took)) {
                lanes.values().forEach(each -> each.hasTasks().signal());
                onTypeRoom.run();
            }
            if (lane.load().idle() > 0) {
                onRoom.accept(queue);
            }
            if (running.isEmpty()) {
                noneRuns.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** True if the task still waited and is now taken out. */
    boolean remove(HeldAttempt held) {
        lock.lock();
        try {
            Lane lane = lanes.get(held.task().queue());
            boolean isRemoved = lane != null && lane.waiting().remove(held);
            if (isRemoved) {
                left(held);
            }
            return isRemoved;
        } finally {
            lock.unlock();
        }
    }

    /** Takes out what has waited longer than {@code limit}, and learns that these queues are slower than thought. */
    List<HeldAttempt> removeWaitingLongerThan(Duration limit, Moment now) {
        List<HeldAttempt> removed = new ArrayList<>();
        lock.lock();
        try {
            for (Lane lane : lanes.values()) {
                Iterator<HeldAttempt> each = lane.waiting().iterator();
                while (each.hasNext()) {
                    HeldAttempt held = each.next();
                    if (now.since(held.claimedAt()).compareTo(limit) > 0) {
                        each.remove();
                        left(held);
                        lane.slowTo(limit);
                        removed.add(held);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        return removed;
    }

    /** Takes no more tasks and ends the slots when they are done. Returns what waited. */
    List<HeldAttempt> close() {
        List<HeldAttempt> unstarted = new ArrayList<>();
        lock.lock();
        try {
            isClosed = true;
            for (Lane lane : lanes.values()) {
                unstarted.addAll(lane.waiting());
                lane.waiting().forEach(this::left);
                lane.waiting().clear();
                lane.hasTasks().signalAll();
            }
        } finally {
            lock.unlock();
        }
        return unstarted;
    }

    List<HeldAttempt> running() {
        lock.lock();
        try {
            return List.copyOf(running);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no attempt is under way; false if the deadline came first. */
    boolean awaitNoneRunning(Deadline deadline) {
        lock.lock();
        try {
            long left = deadline.left().toNanos();
            while (!running.isEmpty() && left > 0) {
                left = noneRuns.awaitNanos(left);
            }
            return running.isEmpty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    BufferLoad load() {
        lock.lock();
        try {
            Map<String, LaneLoad> loads = new LinkedHashMap<>();
            lanes.forEach((queue, lane) -> loads.put(queue, lane.load()));
            return new BufferLoad(loads, bytes, (long) averageBytes, holdsLost(), limits.reached());
        } finally {
            lock.unlock();
        }
    }

    /** Until its outcome is durable, and while it runs although its lease is gone. */
    private boolean holdsLost() {
        return leases.holdLost() || running.stream().anyMatch(HeldAttempt::wasLost);
    }

    private void entered(HeldAttempt held) {
        bytes += sizeOf(held);
        averageBytes = Math.max(1, averageBytes + WEIGHT_OF_NEWEST * (sizeOf(held) - averageBytes));
        limits.entered(held);
    }

    private void left(HeldAttempt held) {
        bytes -= sizeOf(held);
        limits.left(held);
    }

    /** Of the payload in memory, which is one or two bytes a character: the larger. */
    private static long sizeOf(HeldAttempt held) {
        return 2L * held.task().payload().length();
    }

    private Lane laneOf(String queue) {
        Lane lane = lanes.get(queue);
        if (lane == null) {
            throw new IllegalStateException("no slots for queue " + queue + "; there are " + lanes.keySet());
        }
        return lane;
    }
}
