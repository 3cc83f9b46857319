package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.event.TaskEvent.WorkerStopped;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker that stops keeps what runs, gives back what does not, and takes nothing more. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class StopIT {

    private static final TaskType<Json> LONG = TaskType.json("long");
    private static final TaskType<Json> QUICK = TaskType.json("quick");
    private static final Json NOTHING = Json.of("{}");

    @RegisterExtension
    static final Database db = Database.named("stop");

    /** Case B44. */
    @Test
    void theLeaseIsKeptUntilTheLastHandlerHasEnded() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        TaskId running = db.sweep.enqueue(LONG.with(NOTHING)).id();
        Worker stopping = Database.started(
                db.reclaimingWorker("stopping").queue("default", 2).handle(LONG, (nothing, context) -> {
                    Awaiting.opened(end);
                    Errands.leaveEffect(db.source, db.schema, context, "stopping");
                }));
        db.awaitStatus(running, TaskStatus.PROCESSING);
        db.events.await(AttemptStarted.class, 1);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(stopping::close);
        Awaiting.until("it is closing", () -> !stopping.health().downReasons().isEmpty());
        try (Worker next = Database.started(db.reclaimingWorker("next").handle(LONG, (nothing, context) -> {}))) {
            List<Object> leaseAtClose = db.query("select lease_until from sweep.task_lease");
            Awaiting.until(
                    "a whole lease has passed, and was kept",
                    () -> db.count("sweep.tasks_running where lease_until > '" + leaseAtClose.get(0)
                                    + "'::timestamptz + interval '2 s'")
                            == 1);
            TaskId late = db.sweep.enqueue(LONG.with(NOTHING)).id();
            db.awaitStatus(late, TaskStatus.SUCCEEDED);
            assertThat(closed).isNotDone();
            end.countDown();
            Awaiting.answer(closed);
            db.awaitStatus(running, TaskStatus.SUCCEEDED);
            assertThat(db.events.of(AttemptStarted.class))
                    .filteredOn(event -> event.worker().startsWith("stopping"))
                    .extracting(event -> event.run().id())
                    .containsExactly(running);
        }
        assertThat(db.task(running).losses()).isZero();
        assertThat(db.query("select worker from sweep.fx")).containsExactly("stopping");
    }

    /** Case B44. */
    @Test
    void aHandlerOverTheLimitIsInterruptedAndItsTaskGoesBack() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        TaskId id = db.sweep.enqueue(LONG.with(NOTHING)).id();
        try (Worker worker = Database.started(
                db.worker("w").stopTimeout(Duration.ZERO).handle(LONG, (nothing, context) -> Awaiting.opened(never)))) {
            db.events.await(AttemptStarted.class, 1);
        }
        assertThat(db.task(id))
                .extracting(Task::status, Task::retryCount, Task::losses)
                .containsExactly(TaskStatus.PENDING, 0, 0);
        assertThat(db.count("sweep.task_failure")).isZero();
    }

    /** Case B47. */
    @Test
    void whatHasNotStartedGoesBackAtOnceToItsPlace() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<TaskId> waiting = new ArrayList<>();
        // Quick runs teach the worker to claim ahead of its only slot.
        db.sweep.enqueueAll(IntStream.range(0, 30)
                .mapToObj(i -> QUICK.with(NOTHING).priority(10))
                .toList());
        db.sweep
                .enqueueAll(
                        IntStream.range(0, 10).mapToObj(i -> LONG.with(NOTHING)).toList())
                .forEach(answer -> waiting.add(answer.id()));
        Worker stopping = Database.started(slow(db.worker("stopping"), end).batch(10, 10));
        Awaiting.until(
                "one runs and others are claimed",
                () -> db.events.of(AttemptStarted.class).stream()
                                .anyMatch(event -> event.run().type().equals("long"))
                        && db.count("sweep.task_running where type = 'long'") > 1);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(stopping::close);
        db.awaitCount(9, "sweep.task_ready");
        assertThat(closed).as("closed while one runs").isNotDone();
        assertThat(db.query("select r.id from sweep.task_ready r join sweep.task t using (id) where r.retries = 0"
                        + " and r.losses = 0 and not r.moved and r.due_at = t.due_at order by r.due_at, r.id"))
                .as("back as they were enqueued")
                .hasSize(9);
        try (Worker next = Database.started(slow(db.worker("next"), new CountDownLatch(0)))) {
            db.awaitCount(9, "sweep.tasks where type = 'long' and status = 'succeeded'");
        }
        end.countDown();
        Awaiting.answer(closed);
        stopping.close();
        assertThat(db.events.of(WorkerStopped.class))
                .filteredOn(event -> event.worker().startsWith("stopping"))
                .hasSize(1)
                .allSatisfy(event -> assertThat(event.released()).isPositive());
        assertThat(db.events.of(AttemptStarted.class).stream()
                        .filter(event -> event.worker().startsWith("next"))
                        .map(event -> event.run().id()))
                .as("started by the next worker, in order")
                .containsExactlyElementsOf(waiting.subList(1, 10));
    }

    private static WorkerBuilder slow(WorkerBuilder worker, CountDownLatch end) {
        return worker.queue("default", 1)
                .handle(QUICK, (nothing, context) -> {})
                .handle(LONG, (nothing, context) -> Awaiting.opened(end));
    }

    /** Case B47. */
    @Test
    void aHandlerMayCloseItsOwnWorkerAndSoMayWhoNeverStartedIt() throws Exception {
        AtomicReference<Worker> self = new AtomicReference<>();
        Worker worker = db.worker("w")
                .handle(LONG, (nothing, context) -> self.get().close())
                .build();
        self.set(worker);
        TaskId id = db.sweep.enqueue(LONG.with(NOTHING)).id();
        worker.start();
        db.events.await(WorkerStopped.class, 1);
        assertThat(db.status(id)).isEqualTo(TaskStatus.SUCCEEDED);

        Worker neverStarted = slow(db.worker("never"), new CountDownLatch(0)).build();
        neverStarted.close();
        neverStarted.close();
        assertThat(db.events.of(WorkerStopped.class)).hasSize(1);
    }
}
