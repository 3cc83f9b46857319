package dev.sweep.it;

import static dev.sweep.it.Errands.NOTHING;
import static dev.sweep.it.Errands.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.InvalidTaskException;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import dev.sweep.worker.WorkerHealth.WakeUps;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With a poll so rare that only a wake-up can explain that a task starts. */
class WakeUpIT {

    static final Duration NEVER = Duration.ofHours(1);
    private static final TaskType<Json> LONG = TaskType.json("long");

    @RegisterExtension
    static final Database db = Database.named("wake");

    @Test
    void aTaskThatIsEnqueuedWhileWorkersAreIdleStartsAtOnce() throws Exception {
        try (Worker worker = idle(rarely(db.worker("w")).handle(QUICK, (nothing, context) -> {}))) {
            TaskId own = db.sweep.enqueue(QUICK.with(NOTHING)).id();
            db.awaitStatus(own, TaskStatus.SUCCEEDED);
            TaskId another = db.anotherSweep().enqueue(QUICK.with(NOTHING)).id();
            db.awaitStatus(another, TaskStatus.SUCCEEDED);
            assertThat(worker.health().wakeUps()).isEqualTo(WakeUps.ARRIVING);
        }
    }

    @Test
    void aTransactionOfTheCallersIsToldByTheCallerAfterItsCommit() throws Exception {
        try (Worker worker = idle(rarely(db.worker("w")).handle(QUICK, (nothing, context) -> {}));
                RawEar ear = RawEar.on(db.server, db.schema);
                Connection tx = db.transaction()) {
            TaskId id = db.sweep.enqueue(tx, QUICK.with(NOTHING)).id();
            tx.commit();
            db.sweep.announce("end");
            assertThat(ear.until("n:end")).isEmpty();
            assertThat(db.status(id)).isEqualTo(TaskStatus.PENDING);

            db.sweep.announce("default");
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
            assertThat(worker.health().isUp()).isTrue();
        }
    }

    @Test
    void sqlWakesToo() throws Exception {
        try (Worker worker = idle(rarely(db.worker("w")).handle(QUICK, (nothing, context) -> {}))) {
            TaskId id = db.enqueueBySql("'quick', '{}'");
            db.execute("notify \"sweep:" + db.schema + "\", 'n:default'");
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
            assertThat(worker.health().isUp()).isTrue();
        }
    }

    @Test
    void whatATransactionalHandlerEnqueuesStartsOnceItHasCommitted() throws Exception {
        TaskType<Json> parent = TaskType.json("parent");
        TaskType<Json> child = TaskType.json("child").inQueue("children");
        try (Worker worker = idle(rarely(db.worker("w"))
                .queue("default", 1)
                .queue("children", 1)
                .handle(child, (nothing, context) -> {})
                .handleInTransaction(parent, (nothing, context) -> {
                    context.enqueue(child.with(NOTHING));
                    context.enqueueAll(Collections.nCopies(5, child.with(NOTHING)));
                }))) {
            db.sweep.enqueue(parent.with(NOTHING));
            db.awaitCount(7, "sweep.tasks where status = 'succeeded'");
            assertThat(worker.health().isUp()).isTrue();
        }
    }

    @Test
    void aDelayedTaskStartsWhenItIsDue() throws Exception {
        try (Worker worker = idle(rarely(db.worker("w")).handle(QUICK, (nothing, context) -> {}))) {
            TaskId id = db.sweep
                    .enqueue(QUICK.with(NOTHING).delay(Duration.ofMillis(300)))
                    .id();
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
            assertThat(worker.health().isUp()).isTrue();
        }
    }

    /** Case B59. */
    @Test
    void nothingIsTooLargeTooLongOrTooManyForANotification() throws Exception {
        String rocket = "\uD83D\uDE80";
        TaskType<Json> longName = TaskType.json(rocket.repeat(50)).inQueue(rocket.repeat(50));
        try (Sweep large = Sweep.builder(store()).maxPayloadBytes(16 << 20).build();
                RawEar ear = RawEar.on(db.server, db.schema);
                Connection tx = db.transaction();
                Worker worker = idle(rarely(db.worker("w"))
                        .queue("default", 2)
                        .queue(longName.queue(), 2)
                        .handle(longName, (nothing, context) -> {})
                        .handle(QUICK, (nothing, context) -> {}))) {
            TaskId huge = large.enqueue(QUICK.with(Json.of("\"" + "x".repeat(5_000_000) + "\"")))
                    .id();
            TaskId named = large.enqueue(longName.with(NOTHING).dedupKey("k".repeat(1024)))
                    .id();
            List<TaskType<Json>> types = IntStream.range(0, 5_000)
                    .mapToObj(i -> TaskType.json("type-" + i))
                    .toList();
            large.enqueueAll(types.stream().map(type -> type.with(NOTHING)).toList());
            large.enqueueAll(tx, Collections.nCopies(100_000, LONG.with(NOTHING)));
            tx.commit();
            large.announce("default", "end");

            assertThat(ear.until("n:end"))
                    .as("a few notifications, none of them with data of a task")
                    .hasSizeLessThan(10)
                    .allSatisfy(text -> assertThat(text)
                            .isIn(
                                    "sweep:" + db.schema + " n:default",
                                    "sweep:" + db.schema + " n:" + longName.queue()));
            db.awaitStatus(huge, TaskStatus.SUCCEEDED);
            db.awaitStatus(named, TaskStatus.SUCCEEDED);
            assertThat(db.count("sweep.task")).isEqualTo(105_002);
            assertThat(worker.health().isUp()).isTrue();
        }
        assertThatThrownBy(() -> TaskType.json(rocket.repeat(300))).isInstanceOf(InvalidTaskException.class);
        assertThatThrownBy(() -> QUICK.with(NOTHING).dedupKey(rocket.repeat(2_500)))
                .isInstanceOf(InvalidTaskException.class);
    }

    /** Case B63. */
    @Test
    void aBigBatchIsToldInAFewNotificationsAndDuplicatesInNone() throws Exception {
        List<NewTask<Json>> batch = new ArrayList<>(Collections.nCopies(10_000, LONG.with(NOTHING)));
        try (RawEar ear = RawEar.on(db.server, db.schema)) {
            db.sweep.enqueueAll(batch);
            db.sweep.announce("end");
            assertThat(ear.until("n:end")).hasSizeLessThanOrEqualTo(1);

            NewTask<Json> same = LONG.with(NOTHING).dedupKey("same");
            db.sweep.enqueue(same);
            db.sweep.announce("first");
            ear.until("n:first");
            db.sweep.enqueue(same);
            db.sweep.enqueueAll(List.of(same, same));
            db.sweep.announce("end");
            assertThat(ear.until("n:end")).isEmpty();
        }
    }

    /** Case B47. */
    @Test
    void whatAStoppingWorkerHandsBackStartsAtOnceElsewhere() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Worker stopping = idle(rarely(db.worker("stopping"))
                .queue("default", 1)
                .handle(QUICK, (nothing, context) -> {})
                .handle(LONG, (nothing, context) -> Awaiting.opened(end)));
        // Quick ones make it claim ahead.
        db.sweep.enqueueAll(Collections.nCopies(20, QUICK.with(NOTHING)));
        db.awaitCount(20, "sweep.tasks where status = 'succeeded'");
        db.sweep.enqueueAll(Collections.nCopies(10, LONG.with(NOTHING)));
        db.awaitCount(10, "sweep.task_running");
        try (Worker idle = idle(rarely(db.worker("idle", db.anotherSweep()))
                .queue("default", 1)
                .handle(LONG, (nothing, context) -> {}))) {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(stopping::close);
            db.awaitCount(9, "sweep.tasks where type = 'long' and status = 'succeeded' and retry_count = 0");
            assertThat(closed).isNotDone();
            end.countDown();
            Awaiting.answer(closed);
            assertThat(idle.health().isUp()).isTrue();
        }
    }

    @Test
    void aCancelledAttemptIsToldLongBeforeTheNextHeartbeat() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Worker worker = idle(rarely(db.worker("w"))
                .leaseDuration(NEVER.multipliedBy(3))
                .heartbeat(NEVER)
                .handle(LONG, (nothing, context) -> {
                    started.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        interrupted.countDown();
                    }
                }))) {
            TaskId id = db.sweep.enqueue(LONG.with(NOTHING)).id();
            Awaiting.opened(started);
            db.anotherSweep().cancel(id);
            Awaiting.opened(interrupted);
            assertThat(worker.health().isUp()).isTrue();
        }
    }

    @Test
    void switchedOffNothingIsToldAndWorkersPoll() throws Exception {
        JooqTaskStore silent = JooqTaskStore.builder(db.source)
                .schema(db.schema)
                .notifications(false)
                .build();
        try (Sweep quiet = Sweep.create(silent);
                RawEar ear = RawEar.on(db.server, db.schema);
                Worker worker = Database.started(db.worker("w", quiet).handle(QUICK, (nothing, context) -> {}))) {
            TaskId id = quiet.enqueue(QUICK.with(NOTHING)).id();
            quiet.announce("default");
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
            Awaiting.until("it knows", () -> worker.health().wakeUps() == WakeUps.OFF);
            db.sweep.announce("end");
            assertThat(ear.until("n:end")).isEmpty();
            assertThat(worker.health().isUp()).isTrue();
        }
    }

    /** Case B75. */
    @Test
    void twoInstallationsInOneDatabaseDoNotWakeEachOther() throws Exception {
        String other = "Sweep-B \"" + db.server.newSchemaName("b") + '"';
        String channelB = other.replace("\"", "\"\"");
        try (Sweep b = Sweep.create(
                        JooqTaskStore.builder(db.source).schema(other).build());
                RawEar ear = RawEar.on(db.server, db.schema, channelB)) {
            b.migrate();
            try (Worker worker = idle(rarely(db.worker("b", b)).handle(QUICK, (nothing, context) -> {}))) {
                db.sweep.enqueue(QUICK.with(NOTHING));
                db.sweep.announce("end-of-a");
                assertThat(ear.until("n:end-of-a"))
                        .allSatisfy(text -> assertThat(text).startsWith("sweep:" + db.schema + " "));
                TaskId id = b.enqueue(QUICK.with(NOTHING)).id();
                b.announce("end-of-b");
                assertThat(ear.until("n:end-of-b")).containsExactly("sweep:" + other + " n:default");
                Awaiting.until(
                        "the worker of B runs its task",
                        () -> b.find(id).orElseThrow().status() == TaskStatus.SUCCEEDED);
                assertThat(worker.health().isUp()).isTrue();
            }
        } finally {
            db.server.dropSchema(other);
        }
        assertThat(db.count("sweep.task_ready")).isEqualTo(1);
    }

    static WorkerBuilder rarely(WorkerBuilder worker) {
        return worker.pollInterval(NEVER, NEVER);
    }

    /** Started, listening, and done with the looks that follow. */
    static Worker idle(WorkerBuilder builder) throws InterruptedException {
        Worker worker = Database.started(builder);
        awaitArriving(worker);
        assertThat(worker.awaitIdle(Duration.ofSeconds(60))).isTrue();
        return worker;
    }

    static void awaitArriving(Worker worker) {
        Awaiting.until("wake-ups arrive", worker::health, () -> worker.health().wakeUps() == WakeUps.ARRIVING);
    }

    private static JooqTaskStore store() {
        return JooqTaskStore.builder(db.source).schema(db.schema).build();
    }
}
