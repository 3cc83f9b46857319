package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** What tests of the whole engine share: a store in memory, workers that are closed at the end, and waits with a deadline. */
abstract class WorkerSetting {

    static final Duration DEADLINE = Duration.ofSeconds(30);
    static final Json EMPTY = Json.of("{}");
    static final TaskType<Json> A = TaskType.json("a");
    static final TaskType<Json> B = TaskType.json("b");

    final SettableTime time = SettableTime.at(Instant.parse("2026-03-01T10:00:00Z"));
    final InMemoryTaskStore store = InMemoryTaskStore.create(time);
    final Sweep sweep = Sweep.create(store);
    final EventLog events = new EventLog();
    private final List<Worker> workers = new ArrayList<>();

    @AfterEach
    void closesWorkersAndLooksAtTheWholeStore() {
        workers.forEach(Worker::close);
        store.checkInvariants();
    }

    /** Retries at once, polls often, and tells its events to {@link #events}. */
    WorkerBuilder builder() {
        return builder(store);
    }

    WorkerBuilder builder(TaskStore other) {
        return Worker.builder(Sweep.create(other))
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .pollInterval(Duration.ofMillis(5), Duration.ofMillis(20))
                .stopTimeout(Duration.ofSeconds(5))
                .listener(events);
    }

    Worker start(WorkerBuilder builder) {
        Worker worker = builder.build();
        workers.add(worker);
        worker.start();
        return worker;
    }

    /** Runs until nothing is due, then closes. */
    void drain(WorkerBuilder builder) throws InterruptedException {
        Worker worker = start(builder);
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        worker.close();
    }

    TaskId enqueue(TaskType<Json> type) {
        return sweep.enqueue(type.with(EMPTY)).id();
    }

    List<TaskId> enqueue(TaskType<Json> type, int count) {
        List<TaskId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(enqueue(type));
        }
        return ids;
    }

    Task task(TaskId id) {
        return sweep.find(id).orElseThrow();
    }

    long count(TaskStatus status) {
        return sweep.list(TaskQuery.newest().status(status).limit(10_000)).size();
    }

    /** Waits until at least so many tasks have this status. */
    void awaitCount(TaskStatus status, int atLeast) {
        await(atLeast + " tasks " + status, () -> count(status) >= atLeast);
    }

    static void await(String what, BooleanSupplier isSo) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline for " + what).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /** Waits for the first event of this kind. */
    <E extends TaskEvent> E await(Class<E> kind) throws InterruptedException {
        return events.awaitFirst(kind, DEADLINE);
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    }

    static void await(CyclicBarrier barrier) throws Exception {
        barrier.await(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
