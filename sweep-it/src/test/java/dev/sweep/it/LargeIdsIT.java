package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B01: nothing in a task's life is narrower than its id. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class LargeIdsIT {

    private static final TaskType<Json> WELL = TaskType.json("well");
    private static final TaskType<Json> SECOND_TRY = TaskType.json("second-try");
    private static final TaskType<Json> BADLY = TaskType.json("badly");
    private static final TaskType<Json> LONG = TaskType.json("long");
    private static final TaskType<Json> NOBODYS = TaskType.json("nobodys");
    private static final TaskType<Json> LOST = TaskType.json("lost");
    private static final Json NOTHING = Json.of("{}");

    @RegisterExtension
    static final Database db = Database.named("large_ids");

    @BeforeEach
    void theSequenceIsAboutToPass32Bits() {
        db.query("select setval('\"" + db.schema + "\".task_seq', 2147483640)");
    }

    @Test
    void everyMoveOfALifeWorksBeyond32Bits() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<TaskId> lost = enqueue(LOST, 2);
        assertThat(db.claimAndVanish("lost", 2).tasks()).hasSize(2);
        List<TaskId> released;
        List<TaskId> well = enqueue(WELL, 4);
        List<TaskId> secondTry = enqueue(SECOND_TRY, 4);
        List<TaskId> badly = enqueue(BADLY, 4);
        List<TaskId> running = enqueue(LONG, 2);
        List<TaskId> waiting = enqueue(NOBODYS, 2);
        try (Worker worker = Database.started(db.reclaimingWorker("w")
                .queue("default", 8)
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .stopTimeout(Duration.ZERO)
                .handle(WELL, (nothing, context) -> {})
                .handleForOutcome(
                        SECOND_TRY,
                        (nothing, context) -> context.attempt() == 1 ? Outcome.retry("once") : Outcome.complete())
                .handleForOutcome(BADLY, (nothing, context) -> Outcome.fail("for good"))
                .handle(LOST, (nothing, context) -> {})
                .handle(LONG, (nothing, context) -> Awaiting.opened(end)))) {
            well.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            secondTry.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            lost.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            badly.forEach(id -> db.awaitStatus(id, TaskStatus.FAILED));
            running.forEach(id -> db.awaitStatus(id, TaskStatus.PROCESSING));
            released = enqueue(LONG, 2);
            released.forEach(id -> db.awaitStatus(id, TaskStatus.PROCESSING));
            running.forEach(id -> assertThat(db.sweep.cancel(id)).contains(TaskStatus.CANCELLED));
            waiting.forEach(id -> assertThat(db.sweep.cancel(id)).contains(TaskStatus.CANCELLED));
        }
        assertThat(released).map(db::status).containsOnly(TaskStatus.PENDING);
        assertThat(db.sweep.list(TaskQuery.newest().limit(100)))
                .hasSize(20)
                .allSatisfy(task -> assertThat(task.id().value()).isGreaterThan(1L << 32));
        assertThat(db.query("select last_value from \"" + db.schema + "\".task_seq")
                        .get(0))
                .asString()
                .satisfies(value -> assertThat(Long.parseLong(value)).isGreaterThan(Integer.MAX_VALUE));
    }

    @Test
    void tenThousandDuplicatesUseUpNothing() {
        TaskId owner = db.sweep.enqueue(WELL.with(NOTHING).dedupKey("k")).id();
        List<Enqueued> answers = db.sweep.enqueueAll(IntStream.range(0, 10_000)
                .mapToObj(i -> WELL.with(NOTHING).dedupKey("k"))
                .toList());
        Set<Enqueued> distinct = answers.stream().collect(Collectors.toSet());
        assertThat(answers).hasSize(10_000);
        assertThat(distinct).containsExactly(new Enqueued(owner, false));
        assertThat(db.count("sweep.task")).isEqualTo(1);
        assertThat(db.sweep.enqueue(WELL.with(NOTHING)).isNew()).isTrue();
    }

    private static List<TaskId> enqueue(TaskType<Json> type, int number) {
        return db
                .sweep
                .enqueueAll(IntStream.range(0, number)
                        .mapToObj(i -> type.with(NOTHING))
                        .toList())
                .stream()
                .map(Enqueued::id)
                .toList();
    }
}
