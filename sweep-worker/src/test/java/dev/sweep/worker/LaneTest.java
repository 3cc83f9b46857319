package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How many slots of a queue work at once. */
class LaneTest {

    private static final Duration QUICK = Duration.ofNanos(5_000);
    private static final Duration SLOW = Duration.ofMillis(5);
    private static final int SLOTS = 8;

    private final HandlerRegistry handlers = new HandlerRegistry(
            Map.of("a", new RegisteredHandler.Single<>(TaskType.json("a"), (payload, context) -> Outcome.complete())),
            Map.of(),
            RetryPolicy.never());
    private final ReentrantLock lock = new ReentrantLock();
    private long nanos = Long.MAX_VALUE - 1_000;
    private long lastId;
    private final Lane lane =
            new Lane(SLOTS, 1_000, handlers, new TypeLimits(handlers), lock.newCondition(), () -> nanos);

    @Test
    void allSlotsWorkUntilRunsAreKnownToBeQuick() {
        add(SLOTS);

        assertThat(started()).hasSize(SLOTS);
    }

    @Test
    void fewSlotsRunQuickTasks() {
        run(300, QUICK);
        add(SLOTS);

        List<List<HeldAttempt>> shares = started();
        assertThat(shares).hasSize(2);

        end(shares.get(0), QUICK);
        assertThat(started()).as("in the place of the one that ended").hasSize(1);
    }

    @Test
    void slotsThatStallAreNotCountedAmongTheFew() {
        run(300, QUICK);
        add(SLOTS);
        started();

        nanos += Duration.ofMillis(2).toNanos();

        assertThat(started()).hasSize(2);
    }

    @Test
    void oneSlowRunAmongQuickOnesChangesNothingAndManyWakeAllSlots() {
        run(300, QUICK);
        run(1, SLOW);
        add(SLOTS);
        List<List<HeldAttempt>> shares = started();
        assertThat(shares).hasSize(2);
        shares.forEach(share -> end(share, SLOW));

        run(10, SLOW);
        add(SLOTS);

        assertThat(started()).hasSize(SLOTS);
    }

    private void run(int tasks, Duration took) {
        for (int i = 0; i < tasks; i++) {
            add(1);
            end(inLock(lane::start), took);
        }
    }

    private void add(int tasks) {
        for (int i = 0; i < tasks; i++) {
            lane.add(attempt(++lastId));
        }
        inLock(() -> {
            lane.wake(tasks);
            return tasks;
        });
    }

    /** What its free slots start now. */
    private List<List<HeldAttempt>> started() {
        List<List<HeldAttempt>> shares = new ArrayList<>();
        while (lane.load().running() < SLOTS) {
            List<HeldAttempt> share = inLock(lane::start);
            if (share.isEmpty()) {
                return shares;
            }
            shares.add(share);
        }
        return shares;
    }

    private void end(List<HeldAttempt> share, Duration took) {
        inLock(() -> {
            lane.done(share, took);
            return share;
        });
    }

    private <T> T inLock(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private static HeldAttempt attempt(long id) {
        ClaimedTask task = new ClaimedTask(
                new Attempt(1, TaskId.of(id)), "a", "default", 1, Instant.EPOCH, 0, 0, 3, "{}", Map.of());
        return new HeldAttempt(task, new HeldLease(Moment.now().plus(Duration.ofDays(1))), Moment.now());
    }
}
