package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.BulkResult;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskChange;
import dev.sweep.TaskContext;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.TransactionConflictException;
import dev.sweep.event.TaskEvent.AttemptInterrupted;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.event.TaskEvent.OutcomeRefused;
import dev.sweep.event.TaskEvent.TasksReclaimed;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B95: a cancel at any moment is final, and its caller learns what became of the task. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class CancelIT {

    private static final TaskType<Json> PLAIN = TaskType.json("plain");
    private static final TaskType<Json> TX = TaskType.json("tx");
    private static final TaskType<Json> FAILING =
            TaskType.json("failing").maxRetries(100_000).maxLosses(1_000);
    private static final Json NOTHING = Json.of("{}");
    private static final int ROUNDS = 1_000;
    private static final int AT_ONCE = 16;

    @RegisterExtension
    static final Database db = Database.named("cancel");

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final ExecutorService cancellers = Executors.newFixedThreadPool(AT_ONCE);
    private final Map<TaskId, CountDownLatch> starts = new ConcurrentHashMap<>();

    @AfterEach
    void endCancellers() {
        cancellers.shutdownNow();
    }

    @Test
    void cancelAroundTheEndOfAPlainTaskSaysWhatTheTaskStays() throws Exception {
        Map<TaskId, TaskStatus> answers = cancelledAroundTheirEnds(PLAIN);

        assertThat(db.count("sweep.fx f join sweep.task_outcome o on o.id = f.task_id where o.status = 'succeeded'"))
                .isEqualTo(answers.values().stream()
                        .filter(TaskStatus.SUCCEEDED::equals)
                        .count());
    }

    @Test
    void cancelAroundTheEndOfATransactionalTaskLeavesNoEffectBehind() throws Exception {
        Map<TaskId, TaskStatus> answers = cancelledAroundTheirEnds(TX);

        Set<Object> withEffect = Set.copyOf(db.query("select task_id from sweep.fx where transactional"));
        assertThat(answers)
                .allSatisfy((id, status) -> assertThat(withEffect.contains(id.value()))
                        .as("task " + id + " has an effect")
                        .isEqualTo(status == TaskStatus.SUCCEEDED));
    }

    @Test
    void cancelBetweenTwoAttemptsOrInOneIsNeverFollowedByAnother() throws Exception {
        try (Worker worker = Database.started(db.reclaimingWorker("w")
                .queue("default", AT_ONCE)
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(FAILING, (nothing, context) -> {
                    started(context);
                    throw new IllegalStateException("attempt " + context.attempt());
                }))) {
            Map<TaskId, TaskStatus> answers = cancelledAfterTheirStarts(FAILING, 300);
            assertThat(answers.values()).as("seed %s", seed).containsOnly(TaskStatus.CANCELLED);
            assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
            int attempts = db.events.of(AttemptStarted.class).size();
            assertThat(attempts).as("attempts").isGreaterThan(300);
            assertThat(db.count("sweep.task_ready")).isZero();
            assertStay(answers);
        }
    }

    @Test
    void cancelOfADeadWorkersTasksBeatsTheirReclaimOrFindsThemRunAgain() throws Exception {
        List<TaskId> ids = enqueued(PLAIN, 200);
        assertThat(db.claimAndVanish("plain", 200).tasks()).hasSize(200);
        List<Future<TaskStatus>> answers;
        try (Worker worker = Database.started(working())) {
            db.events.await(TasksReclaimed.class, 1);
            answers = ids.stream()
                    .map(id -> cancellers.submit(() -> db.sweep.cancel(id).orElseThrow()))
                    .toList();
            Map<TaskId, TaskStatus> said = new LinkedHashMap<>();
            for (int i = 0; i < ids.size(); i++) {
                said.put(ids.get(i), Awaiting.answer(answers.get(i)));
            }
            assertThat(said.values()).contains(TaskStatus.CANCELLED);
            assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
            assertStay(said);
        }
    }

    @Test
    void handlersThatIgnoreTheirInterruptAreRefused() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<TaskId> ids = List.of(
                db.sweep.enqueue(PLAIN.with(NOTHING)).id(),
                db.sweep.enqueue(TX.with(NOTHING)).id());
        try (Worker worker = Database.started(db.reclaimingWorker("w")
                .handle(PLAIN, (nothing, context) -> {
                    started(context);
                    deafly(mayEnd);
                    Errands.leaveEffect(db.source, db.schema, context, "w");
                })
                .handleInTransaction(TX, (nothing, context) -> {
                    started(context);
                    Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w");
                    deafly(mayEnd);
                }))) {
            for (TaskId id : ids) {
                Awaiting.opened(start(id));
                assertThat(db.sweep.cancel(id)).contains(TaskStatus.CANCELLED);
            }
            db.events.await(AttemptInterrupted.class, 2);
            mayEnd.countDown();
            db.events.await(OutcomeRefused.class, 2);
        }
        assertThat(ids).allMatch(id -> db.status(id) == TaskStatus.CANCELLED);
        assertThat(db.query("select transactional from sweep.fx")).containsExactly(false);
    }

    /** A handler's transaction holds its running row from the completion to the commit. */
    @Test
    void taskWhoseOutcomeDoesNotCommitIsSaidToBeHeldAndCancelledLater() throws Exception {
        TaskId id = db.sweep.enqueue(PLAIN.with(NOTHING)).id();
        TaskId free = db.sweep.enqueue(PLAIN.with(NOTHING)).id();
        db.claimAndVanish("plain", 1);
        try (Connection completing = db.transaction()) {
            db.execute(completing, "delete from sweep.task_running where id = " + id);

            assertThatThrownBy(() -> db.sweep.cancel(id))
                    .isInstanceOf(TransactionConflictException.class)
                    .hasMessageContainingAll("task " + id, "held by another transaction", "try again");
            assertThat(db.sweep.admin().cancel(id)).isEqualTo(TaskChange.busy(id));
            assertThat(db.sweep.admin().cancelAll(TaskSelection.of(List.of(id, free)), soFar -> {}))
                    .isEqualTo(new BulkResult(1, Map.of(), 0, 0, 1));
            completing.rollback();
        }
        assertThat(db.sweep.admin().cancelAll(TaskSelection.of(List.of(id, free)), soFar -> {}))
                .isEqualTo(new BulkResult(1, Map.of(TaskStatus.CANCELLED, 1L), 0, 0, 0));
    }

    private Map<TaskId, TaskStatus> cancelledAroundTheirEnds(TaskType<Json> type) throws Exception {
        Map<TaskId, TaskStatus> answers;
        try (Worker worker = Database.started(working())) {
            answers = cancelledAfterTheirStarts(type, ROUNDS);
            assertThat(worker.awaitIdle(Duration.ofSeconds(60))).isTrue();
            assertThat(answers.values())
                    .as("seed %s", seed)
                    .contains(TaskStatus.CANCELLED, TaskStatus.SUCCEEDED)
                    .doesNotContain(TaskStatus.PENDING, TaskStatus.PROCESSING, TaskStatus.FAILED);
            assertStay(answers);
        }
        assertStay(answers);
        assertThat(db.events.of(AttemptStarted.class).stream()
                        .map(event -> event.run().id()))
                .as("attempts, one per task")
                .doesNotHaveDuplicates()
                .hasSize(ROUNDS);
        return answers;
    }

    private WorkerBuilder working() {
        return db.reclaimingWorker("w")
                .queue("default", AT_ONCE)
                .handle(PLAIN, (nothing, context) -> {
                    started(context);
                    twentyMillis();
                    Errands.leaveEffect(db.source, db.schema, context, "w");
                })
                .handleInTransaction(TX, (nothing, context) -> {
                    started(context);
                    Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w");
                    twentyMillis();
                });
    }

    /** Each at a random moment of the 50 ms after its first start. */
    private Map<TaskId, TaskStatus> cancelledAfterTheirStarts(TaskType<Json> type, int number) throws Exception {
        Map<TaskId, Future<TaskStatus>> running = new LinkedHashMap<>();
        for (TaskId id : enqueued(type, number)) {
            Duration after =
                    Duration.ofNanos(random.nextLong(Duration.ofMillis(50).toNanos()));
            running.put(id, cancellers.submit(() -> {
                Awaiting.opened(start(id));
                LockSupport.parkNanos(after.toNanos());
                return db.sweep.cancel(id).orElseThrow();
            }));
        }
        Map<TaskId, TaskStatus> answers = new LinkedHashMap<>();
        for (Map.Entry<TaskId, Future<TaskStatus>> entry : running.entrySet()) {
            answers.put(entry.getKey(), Awaiting.answer(entry.getValue()));
        }
        return answers;
    }

    private static void assertStay(Map<TaskId, TaskStatus> answers) {
        Map<TaskId, TaskStatus> now = answers.keySet().stream().collect(Collectors.toMap(id -> id, db::status));
        assertThat(now).containsExactlyInAnyOrderEntriesOf(answers);
    }

    private static List<TaskId> enqueued(TaskType<Json> type, int number) {
        NewTask<Json> task = type.with(NOTHING);
        return db.sweep.enqueueAll(Collections.nCopies(number, task)).stream()
                .map(answer -> answer.id())
                .toList();
    }

    private void started(TaskContext context) {
        start(context.id()).countDown();
    }

    private CountDownLatch start(TaskId id) {
        return starts.computeIfAbsent(id, first -> new CountDownLatch(1));
    }

    /** Not cut short by an interrupt. */
    private static void twentyMillis() {
        long end = System.nanoTime() + Duration.ofMillis(20).toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static void deafly(CountDownLatch gate) {
        while (gate.getCount() > 0) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}
