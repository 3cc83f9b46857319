package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Outcome;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two enqueues with one key are one task, in Java and in SQL. The rest of the Java side is the store's own test. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class DedupKeysIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");

    @RegisterExtension
    static final Database db = Database.named("dedup_keys");

    private static NewTask<Json> task() {
        return TYPE.with(Json.of("{}"));
    }

    private static TaskId enqueueBySql(String key) {
        return db.enqueueBySql("'t', '{}', '" + key + "'");
    }

    /** Case B06, part 1. */
    @Test
    void theSecondEnqueueGetsTheFirstId() {
        Enqueued first = db.sweep.enqueue(task().dedupKey("K1"));
        Awaiting.until(
                "the database's clock has moved on",
                () -> db.count("sweep.task where created_at < clock_timestamp() - interval '50 ms'") == 1);
        Enqueued second = db.sweep.enqueue(task().dedupKey("K1"));
        assertThat(first.isNew()).isTrue();
        assertThat(second).isEqualTo(new Enqueued(first.id(), false));
        assertThat(enqueueBySql("K1")).isEqualTo(first.id());
        assertThat(db.count("sweep.task")).isEqualTo(1);
    }

    /** Case B06, part 2. */
    @Test
    void thirtyTwoAtOnceAreOneTaskBetweenJavaAndSql() throws Exception {
        for (int round = 0; round < 10; round++) {
            String key = "K2-" + round;
            CountDownLatch start = new CountDownLatch(1);
            ExecutorService threads = Executors.newFixedThreadPool(32);
            try {
                List<Future<TaskId>> racing = IntStream.range(0, 32)
                        .mapToObj(i -> threads.submit(() -> {
                            Awaiting.opened(start);
                            return i % 2 == 0
                                    ? enqueueBySql(key)
                                    : db.sweep.enqueue(task().dedupKey(key)).id();
                        }))
                        .toList();
                start.countDown();
                assertThat(answers(racing)).as("round %s", round).hasSize(32).containsOnly(owner(key));
            } finally {
                threads.shutdownNow();
            }
        }
        assertThat(db.count("sweep.task")).isEqualTo(10);
    }

    /** Case B06, part 3: an owner that lies in another week. */
    @Test
    void anOwnerThatIsWeeksOldStillOwnsItsKey() {
        TaskId old = TaskId.of((Long)
                db.query("select sweep.id_at(now() - interval '3 weeks', 1)").get(0));
        db.execute("insert into sweep.task (id, created_at, due_at, type, dedup_key, payload)" + " values (" + old
                + ", now() - interval '3 weeks', now() - interval '3 weeks', 't', 'K3', '{}')");
        db.execute("insert into sweep.task_ready (queue, rank, due_at, id, type)"
                + " select queue, 10 - priority, due_at, id, type from sweep.task");
        db.execute("insert into sweep.task_key (key, id) values ('K3', " + old + ")");
        assertThat(db.sweep.enqueue(task().dedupKey("K3"))).isEqualTo(new Enqueued(old, false));
        assertThat(enqueueBySql("K3")).isEqualTo(old);
        assertThat(db.count("sweep.task")).isEqualTo(1);
    }

    /** Case B07 through SQL: nobody is told "duplicate" on the strength of an insert that is then rolled back. */
    @Test
    void whoWaitsForAnotherSqlSessionsKeyGetsTheTruthAboutIt() throws Exception {
        for (boolean commits : new boolean[] {true, false}) {
            String key = "K7-" + commits;
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try (Connection first = db.transaction()) {
                Object ofFirst = db.query(first, "select sweep.enqueue_task('t', '{}', '" + key + "')")
                        .get(0);
                List<Future<TaskId>> waiting = IntStream.range(0, 4)
                        .mapToObj(i -> threads.submit(() -> enqueueBySql(key)))
                        .toList();
                db.awaitWaiters(4);
                if (commits) {
                    first.commit();
                } else {
                    first.rollback();
                }
                assertThat(answers(waiting)).hasSize(4).containsOnly(owner(key));
                assertThat(owner(key).equals(TaskId.of((Long) ofFirst))).isEqualTo(commits);
                assertThat(db.status(owner(key))).isEqualTo(TaskStatus.PENDING);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Case B09 through SQL: key by key in opposite order is the callers' own deadlock, and leaves nothing half-done. */
    @Test
    void aDeadlockOfSqlCallersIsRetryableAndLeavesNoStuckKey() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection a = db.transaction();
                Connection b = db.transaction()) {
            db.query(a, "select sweep.enqueue_task('t', '{}', 'x')");
            db.query(b, "select sweep.enqueue_task('t', '{}', 'y')");
            Future<Optional<String>> ofA = thread.submit(() -> stateAfter(a, "y"));
            db.awaitWaiters(1);
            List<String> states = new ArrayList<>();
            stateAfter(b, "x").ifPresent(states::add);
            Awaiting.answer(ofA).ifPresent(states::add);
            assertThat(states).as("SQLSTATEs of the two").containsExactly("40P01");
        } finally {
            thread.shutdownNow();
        }
        assertThat(db.query("select key from sweep.task_key order by key")).containsExactly("x", "y");
        assertThat(db.count("sweep.task")).isEqualTo(2);
        assertThat(enqueueBySql("x")).isEqualTo(owner("x"));
        assertThat(enqueueBySql("y")).isEqualTo(owner("y"));
    }

    private static Optional<String> stateAfter(Connection tx, String key) throws SQLException {
        try {
            db.query(tx, "select sweep.enqueue_task('t', '{}', '" + key + "')");
            tx.commit();
            return Optional.empty();
        } catch (SQLException e) {
            tx.rollback();
            return Optional.of(e.getSQLState());
        }
    }

    /** Case B10: what a new enqueue gets while its key's owner has each status, by the owner's scope. */
    private static final Map<Scope, Set<TaskStatus>> PROTECTS = new EnumMap<>(Map.of(
            Scope.UNTIL_RETENTION, EnumSet.allOf(TaskStatus.class),
            Scope.UNTIL_FINISHED, EnumSet.of(TaskStatus.PENDING, TaskStatus.PROCESSING),
            Scope.LONG_WINDOW, EnumSet.allOf(TaskStatus.class),
            Scope.PAST_WINDOW, EnumSet.noneOf(TaskStatus.class)));

    private enum Scope {
        UNTIL_RETENTION,
        UNTIL_FINISHED,
        LONG_WINDOW,
        PAST_WINDOW;

        DedupKey of(String key) {
            DedupKey plain = DedupKey.of(key);
            return switch (this) {
                case UNTIL_RETENTION -> plain;
                case UNTIL_FINISHED -> plain.untilFinished();
                case LONG_WINDOW -> plain.window(Duration.ofHours(1));
                case PAST_WINDOW -> plain.window(Duration.ofMillis(1));
            };
        }
    }

    /** One way to ask for a key again: its owner's scope and status, and who asks. */
    private record Again(Scope scope, TaskStatus status, boolean bySql) {

        static List<Again> all() {
            List<Again> all = new ArrayList<>();
            for (Scope scope : Scope.values()) {
                for (TaskStatus status : TaskStatus.values()) {
                    all.add(new Again(scope, status, true));
                    all.add(new Again(scope, status, false));
                }
            }
            return all;
        }

        String key() {
            return scope + "/" + status + (bySql ? "/sql" : "/java");
        }

        TaskId owner() {
            TaskId id = db.sweep
                    .enqueue(TaskType.json(status.word()).with(Json.of("{}")).dedupKey(scope.of(key())))
                    .id();
            if (status == TaskStatus.CANCELLED) {
                assertThat(db.sweep.cancel(id)).contains(TaskStatus.CANCELLED);
            }
            return id;
        }

        TaskId enqueue() {
            return bySql
                    ? enqueueBySql(key())
                    : db.sweep.enqueue(task().dedupKey(key())).id();
        }

        boolean answersWithOwner() {
            return PROTECTS.get(scope).contains(status);
        }
    }

    /** Case B10. */
    @Test
    void aKeyProtectsItsOwnerAsItsScopeSaysAndNeverLongerThanTheOwnersRow() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Map<Again, TaskId> owners = new LinkedHashMap<>();
        try (Worker worker = Database.started(db.worker("w")
                .queue("default", 16)
                .handle(TaskType.json("succeeded"), (nothing, context) -> {})
                .handle(TaskType.json("processing"), (nothing, context) -> Awaiting.opened(end))
                .handleForOutcome(TaskType.json("failed"), (nothing, context) -> Outcome.fail("for good")))) {
            Again.all().forEach(again -> owners.put(again, again.owner()));
            owners.forEach((again, id) -> db.awaitStatus(id, again.status()));
            owners.forEach((again, id) -> assertThat(again.enqueue().equals(id))
                    .as("%s answers with the owner", again)
                    .isEqualTo(again.answersWithOwner()));
            end.countDown();
            assertThat(worker.awaitIdle(Duration.ofSeconds(60))).isTrue();
        }
        theOwnersRowsGo();
        owners.forEach((again, id) -> assertThat(again.enqueue())
                .as("%s after the owner's row has gone", again)
                .isNotEqualTo(id));
    }

    /** What a cleanup does to tasks that have ended, and a dropped week to all of its tasks. */
    private static void theOwnersRowsGo() {
        for (String table : List.of("task_ready", "task_outcome", "task_failure", "task")) {
            db.execute("delete from sweep." + table);
        }
    }

    private static TaskId owner(String key) {
        return TaskId.of((Long) db.query("select id from sweep.task_key where key = '" + key + "'")
                .get(0));
    }

    private static List<TaskId> answers(List<Future<TaskId>> futures) throws Exception {
        List<TaskId> answers = new ArrayList<>();
        for (Future<TaskId> future : futures) {
            answers.add(Awaiting.answer(future));
        }
        return answers;
    }

    /** Case B10: the bounds of a key are the same for both. */
    @Test
    void aBlankOrOverlongKeyIsRefusedInBoth() {
        assertThatThrownBy(() -> task().dedupKey(" ")).hasMessageContaining("dedup key is blank");
        assertThatThrownBy(() -> task().dedupKey("k".repeat(1025))).hasMessageContaining("at most 1024");
        assertThatThrownBy(() -> enqueueBySql(" ")).hasMessageContaining("1 to 1024 bytes");
        assertThatThrownBy(() -> enqueueBySql("k".repeat(1025))).hasMessageContaining("1 to 1024 bytes");
    }
}
