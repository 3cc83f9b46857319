package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Due;
import dev.sweep.InvalidTaskException;
import dev.sweep.Json;
import dev.sweep.RetryPolicy;
import dev.sweep.Task;
import dev.sweep.TaskHandler;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.AttemptFailed;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever a handler throws, however often, its task is retried as often as it may be and then fails, and no other does. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class HandlerFailuresIT {

    private static final Json NOTHING = Json.of("{}");
    private static final TaskType<Json> HEALTHY = TaskType.json("healthy");

    @RegisterExtension
    static final Database db = Database.named("handler_failures");

    private static WorkerBuilder worker() {
        return db.worker("w").queue("default", 4).retryPolicy(RetryPolicy.fixed(Duration.ZERO));
    }

    /** Case B22. */
    @Test
    void whatCanNotBeStoredOfAnErrorIsReplacedAndTheFailureIsRecorded() throws Exception {
        String nul = "bad\u0000byte and half a pair \ud800";
        Map<String, TaskHandler<Json>> handlers = new LinkedHashMap<>();
        handlers.put("message", (nothing, context) -> {
            throw new IllegalStateException(nul);
        });
        handlers.put("cause", (nothing, context) -> {
            throw new IllegalStateException("outer", new IllegalArgumentException(nul));
        });
        handlers.put("suppressed", (nothing, context) -> {
            IllegalStateException outer = new IllegalStateException("outer");
            outer.addSuppressed(new IllegalArgumentException(nul));
            throw outer;
        });
        handlers.put("unreadable", (nothing, context) -> {
            throw new UnreadableException();
        });
        handlers.put("jdbc", (nothing, context) -> {
            try (Connection connection = db.source.getConnection()) {
                db.query(connection, "select cast('bad\u0001byte' as int)");
            }
        });
        WorkerBuilder builder = worker().handle(HEALTHY, (nothing, context) -> {});
        handlers.forEach((type, handler) -> builder.handle(TaskType.json(type), handler));
        List<TaskId> ids = new ArrayList<>();
        handlers.keySet()
                .forEach(type -> ids.add(db.sweep
                        .enqueue(TaskType.json(type).maxRetries(2).with(NOTHING))
                        .id()));
        IntStream.range(0, 10).forEach(i -> db.sweep.enqueue(HEALTHY.with(NOTHING)));
        try (Worker worker = Database.started(builder)) {
            ids.forEach(id -> db.awaitStatus(id, TaskStatus.FAILED));
            db.awaitCount(10, "sweep.tasks where type = 'healthy' and status = 'succeeded'");
        }
        assertThat(db.query("select distinct count(*) from sweep.task_failure group by id"))
                .as("failed attempts per task")
                .containsExactly(3L);
        assertThat(db.task(ids.get(0)).error()).contains("bad\ufffdbyte and half a pair \ufffd");
        assertThat(db.task(ids.get(1)).error())
                .get()
                .asString()
                .contains("outer")
                .contains("bad\ufffdbyte");
        assertThat(db.task(ids.get(3)).error()).get().asString().contains("getMessage() threw");
        assertThat(db.task(ids.get(4)).error()).get().asString().contains("invalid input syntax");
    }

    private static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message for you");
        }
    }

    /** Case B24. */
    @Test
    void errorsFailOnlyTheirAttemptsAndEverySlotWorksOn() throws Exception {
        Map<String, TaskHandler<Json>> throwers = new LinkedHashMap<>();
        throwers.put("stack-overflow", (nothing, context) -> {
            throw new IllegalStateException("depth " + deeper(1));
        });
        throwers.put("assertion", (nothing, context) -> {
            throw new AssertionError("not so");
        });
        throwers.put("no-class", (nothing, context) -> {
            throw new NoClassDefFoundError("gone");
        });
        throwers.put("no-initializer", (nothing, context) -> Uninitializable.touch());
        throwers.put(
                "sneaky",
                (nothing, context) -> HandlerFailuresIT.<RuntimeException>sneak(new IOException("undeclared")));
        throwers.put(
                "throwable", (nothing, context) -> HandlerFailuresIT.<RuntimeException>sneak(new Throwable("bare")));
        CyclicBarrier four = new CyclicBarrier(4);
        AtomicInteger healthyRuns = new AtomicInteger();
        WorkerBuilder builder = worker().handle(HEALTHY, (nothing, context) -> {
            healthyRuns.incrementAndGet();
            Awaiting.met(four);
        });
        throwers.forEach((type, handler) -> builder.handle(TaskType.json(type), handler));
        List<TaskId> throwing = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            throwers.keySet()
                    .forEach(type -> throwing.add(db.sweep
                            .enqueue(TaskType.json(type).maxRetries(1).with(NOTHING))
                            .id()));
        }
        try (Worker worker = Database.started(builder)) {
            throwing.forEach(id -> db.awaitStatus(id, TaskStatus.FAILED));
            assertThat(worker.health().downReasons()).isEmpty();
            IntStream.range(0, 20).forEach(i -> db.sweep.enqueue(HEALTHY.with(NOTHING)));
            db.awaitCount(20, "sweep.tasks where type = 'healthy' and status = 'succeeded'");
        }
        assertThat(healthyRuns).as("runs, four at a time").hasValue(20);
        assertThat(throwing).map(db::task).extracting(Task::retryCount).containsOnly(1);
        assertThat(db.query("select distinct error_class from sweep.task_failure order by 1"))
                .containsExactly(
                        "java.io.IOException",
                        "java.lang.AssertionError",
                        "java.lang.ExceptionInInitializerError",
                        "java.lang.NoClassDefFoundError",
                        "java.lang.StackOverflowError",
                        "java.lang.Throwable");
    }

    private static int deeper(int depth) {
        return depth < 0 ? depth : 1 + evenDeeper(depth + 1);
    }

    private static int evenDeeper(int depth) {
        return depth < 0 ? depth : 1 + deeper(depth + 1);
    }

    private static final class Uninitializable {
        private static final int NEVER = Integer.parseInt("not a number");

        static void touch() {
            assertThat(NEVER).isZero();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable undeclared) throws T {
        throw (T) undeclared;
    }

    /** Case B26: the fields that count retries hold numbers that no formula may overflow on. */
    @Test
    void theBackoffNeverOverflows() {
        List<Integer> retries = List.of(30, 31, 32, 61, 62, 63, 64, 99);
        TaskType<Json> type = TaskType.json("failing");
        for (int retry : retries) {
            TaskId id = db.sweep.enqueue(type.with(NOTHING).maxRetries(100)).id();
            db.execute("update sweep.task_ready set retries = " + retry + " where id = " + id);
        }
        Duration cap = Duration.ofHours(1);
        try (Worker worker = Database.started(db.worker("w")
                .retryPolicy(RetryPolicy.exponential(Duration.ofSeconds(1), cap))
                .handle(type, (nothing, context) -> {
                    throw new IllegalStateException("again");
                }))) {
            db.events.await(AttemptFailed.class, retries.size());
        }
        assertThat(db.events.of(AttemptFailed.class))
                .allSatisfy(
                        event -> assertThat(((Due.In) event.retry()).delay()).isBetween(Duration.ZERO, cap));
        assertThat(db.query("select w.due_at - f.failed_at from sweep.task_ready w join sweep.task_failure f"
                        + " on f.id = w.id where w.due_at < f.failed_at or w.due_at > f.failed_at + interval '1 hour'"))
                .as("due before its failure, or later than the cap")
                .isEmpty();
        db.empty();
    }

    /** Case B27. */
    @Test
    void aTaskRunsOnceMoreThanItHasRetries() throws Exception {
        TaskType<Json> plain = TaskType.json("plain");
        TaskType<Json> transactional = TaskType.json("transactional");
        Map<TaskId, Integer> expected = new LinkedHashMap<>();
        for (TaskType<Json> type : List.of(plain, transactional)) {
            for (int retries : new int[] {0, 1, 3}) {
                expected.put(
                        db.sweep.enqueue(type.with(NOTHING).maxRetries(retries)).id(), retries);
                expected.put(db.enqueueBySql("'" + type + "', '{}', max_retries => " + retries), retries);
            }
            expected.put(db.sweep.enqueue(type.with(NOTHING)).id(), 3);
            expected.put(db.enqueueBySql("'" + type + "', '{}'"), 3);
        }
        TaskType<Json> lostBetween = TaskType.json("lost-between");
        TaskId lost = db.sweep.enqueue(lostBetween.with(NOTHING).maxRetries(1)).id();
        expected.put(lost, 1);
        db.claimAndVanish("lost-between", 1);
        try (Worker worker = Database.started(db.reclaimingWorker("w")
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(plain, (nothing, context) -> fail())
                .handle(lostBetween, (nothing, context) -> fail())
                .handleInTransaction(transactional, (nothing, context) -> fail()))) {
            expected.keySet().forEach(id -> db.awaitStatus(id, TaskStatus.FAILED));
        }
        expected.forEach((id, retries) -> {
            assertThat(db.events.of(AttemptStarted.class).stream()
                            .filter(event -> event.run().id().equals(id)))
                    .as("runs with %s retries", retries)
                    .hasSize(retries + 1);
            assertThat(db.task(id).retryCount()).isEqualTo(retries);
        });
        assertThat(db.task(lost).losses()).isEqualTo(1);
    }

    private static void fail() {
        throw new IllegalStateException("always");
    }

    /** Case B27. */
    @Test
    void aNumberOfRetriesOutOfRangeIsRefusedInJavaAndInSql() {
        for (int retries : new int[] {-1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> HEALTHY.with(NOTHING).maxRetries(retries))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageContaining("max retries " + retries + " is out of range; use 0 to 1000000");
            assertThatThrownBy(() -> db.enqueueBySql("'t', '{}', max_retries => " + retries))
                    .hasMessageContaining("max_retries " + retries + " is out of range; use 0 to 1000000");
        }
        assertThatThrownBy(() -> db.enqueueBySql("'t', '{}', max_retries => null"))
                .hasMessageContaining("max_retries null is out of range");
        assertThat(db.count("sweep.task")).isZero();
    }
}
