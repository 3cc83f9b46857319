package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failed tasks on their way into {@code dead_letter} and out of it again. */
class DeadLettersIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");

    private static StoreUnderTest test;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("dead_letters");
    }

    @AfterAll
    static void drop() {
        test.close();
    }

    @BeforeEach
    void empty() {
        test.empty();
    }

    @AfterEach
    void checkInvariants() {
        test.checkInvariants();
    }

    @Test
    void moverTakesTheOldestUpToTheBound() {
        List<TaskId> ids = List.of(failed(task()), failed(task()), failed(task()));

        assertThat(moved("null", 1)).isEqualTo(1);
        assertThat(test.query("select id from sweep.dead_letter"))
                .containsExactly(ids.get(0).value());
        assertThat(moved(ids.get(1).toString(), 10)).isEqualTo(1);
        assertThat(moved("null", 10)).isEqualTo(1);
        assertThat(moved("null", 10)).isZero();
        assertThat(test.count("sweep.task")).isZero();
    }

    @Test
    void nothingOfATaskIsLostByAMove() {
        TaskId id =
                failed(task().dedupKey("K").header("tenant", "a").priority(7).maxRetries(2));

        List<Object> before = everything(id);
        moved("null", 10);

        assertThat(everything(id)).isEqualTo(before);
        assertThat(test.count("sweep.task_failure")).isZero();
        assertThat(test.count("sweep.task_key")).isEqualTo(1);
    }

    private static List<Object> everything(TaskId id) {
        return test.query("""
                select to_jsonb(t)::text from sweep.tasks t where id = %1$s
                union all select to_jsonb(t)::text from sweep.tasks_failed t where id = %1$s
                union all select to_jsonb(f)::text from sweep.task_failures f where id = %1$s
                union all select to_jsonb(s)::text from sweep.task_stats s
                """.formatted(id));
    }

    @Test
    void outcomeWithoutItsTaskIsPassedBy() {
        TaskId orphan = failed(task());
        test.execute("delete from sweep.task where id = " + orphan);
        TaskId whole = failed(task());

        assertThat(moved("null", 1)).isEqualTo(1);
        assertThat(test.query("select id from sweep.dead_letter")).containsExactly(whole.value());
        assertThat(test.query("select id from sweep.task_outcome")).containsExactly(orphan.value());
    }

    @Test
    void purgeTakesTheLongestDeadWithTheirKeys() {
        TaskId old = failed(task().dedupKey("K"));
        TaskId young = failed(task().dedupKey("L"));
        moved("null", 10);
        test.execute("update sweep.dead_letter set finished_at = finished_at - interval '91 days',"
                + " started_at = started_at - interval '91 days' where id = " + old);

        assertThat(purged("now() - interval '90 days'", 10)).isEqualTo(1);
        assertThat(test.query("select id from sweep.dead_letter")).containsExactly(young.value());
        assertThat(test.query("select key from sweep.task_key")).containsExactly("L");
        assertThat(test.query("select count from sweep.task_stats where status = 'failed'"))
                .containsExactly(1L);
        assertThat(purged("'infinity'", 10)).isEqualTo(1);
        assertThat(test.query("select sum(run_micros)::bigint from sweep.stat_delta"))
                .containsExactly(0L);
    }

    /** A re-drive is a new task of this moment, also when the week of the old one is long gone. */
    @Test
    void deadLetterIsRequeuedAsATaskOfNow() {
        TaskId id = failed(task().dedupKey("K"));
        moved("null", 10);
        test.execute("update sweep.dead_letter set created_at = created_at - interval '1 year'");

        TaskId fresh = test.sweep.admin().requeue(id).requeuedAs().orElseThrow();

        assertThat(test.query("select created_at > now() - interval '1 minute' and created_at <= clock_timestamp()"
                        + " and id_second = created_second from (select *, sweep.id_time(id) as id_second,"
                        + " date_trunc('second', created_at) as created_second from sweep.task) t"))
                .containsExactly(true);
        assertThat(test.sweep.find(fresh).orElseThrow().dedupKey()).contains("K");
        assertThat(test.sweep.admin().failures(fresh)).hasSize(2);
        assertThat(test.query("select sweep.requeue_task(" + id + ")")).containsExactly(fresh.value());
    }

    @Test
    void sqlDeletesFailedTasksAndSaysWhichItCanNot() {
        TaskId dead = failed(task().dedupKey("K"));
        moved("null", 10);
        TaskId failed = failed(task());
        TaskId pending = test.sweep.enqueue(task()).id();

        assertThat(deleted(dead)).isEqualTo(true);
        assertThat(deleted(dead)).isNull();
        assertThat(deleted(failed)).isEqualTo(true);
        assertThatThrownBy(() -> deleted(pending))
                .hasMessageContaining("task " + pending + " is pending; only failed tasks can be deleted");
        assertThat(test.count("sweep.tasks")).isEqualTo(1);
        assertThat(test.count("sweep.task_key")).isZero();
        assertThat(test.query("select sum(run_micros)::bigint from sweep.stat_delta"))
                .containsExactly(0L);
    }

    /** So many failures that their JSON would be no jsonb any more: the move goes on, with the newest. */
    @Test
    void ofFailuresBeyondMeasureTheNewestAreKept() {
        TaskId id = failed(task());
        test.execute("insert into sweep.task_failure (id, created_at, failed_at, lease, attempt, error_class, message)"
                + " select " + id + ", sweep.id_time(" + id + "), now(), -n, 1, 'e', repeat('m', 8000)"
                + " from generate_series(1, 2500) n");

        assertThat(moved("null", 10)).isEqualTo(1);

        assertThat(test.sweep.admin().failures(id))
                .hasSizeBetween(1_900, 2_100)
                .last()
                .satisfies(newest -> assertThat(newest.message()).isEqualTo("for good"));
    }

    @Test
    void whatARequeueHoldsIsLeftToIt() throws SQLException {
        TaskId held = failed(task());
        TaskId free = failed(task());
        try (Connection holder = test.source.getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(test.inSchema("select sweep.requeue_task(" + held + ")"));

            assertThat(moved("null", 10)).isEqualTo(1);
            holder.rollback();
        }
        assertThat(test.query("select id from sweep.dead_letter")).containsExactly(free.value());
        assertThat(moved("null", 10)).isEqualTo(1);
    }

    @Test
    void boundsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> moved("null", 0)).hasMessageContaining("max_rows 0 is out of range; use 1 to 100000");
        assertThatThrownBy(() -> purged("now()", 100_001)).hasMessageContaining("max_rows 100001 is out of range");
        assertThatThrownBy(() -> purged("null", 1)).hasMessageContaining("before is null; pass the time");
    }

    private static long moved(String upperId, int maxRows) {
        return (Long) test.query("select sweep.move_dead_letters(" + upperId + ", " + maxRows + ")")
                .get(0);
    }

    private static Object deleted(TaskId id) {
        return test.query("select sweep.delete_dead_letter(" + id + ")").get(0);
    }

    private static long purged(String before, int maxRows) {
        return (Long) test.query("select sweep.purge_dead_letters(" + before + ", " + maxRows + ")")
                .get(0);
    }

    private static NewTask<Json> task() {
        return TYPE.with(Json.of("{\"n\":1}"));
    }

    /** A task that failed once, was retried, and failed for good. */
    private static TaskId failed(NewTask<Json> task) {
        TaskId id = test.sweep.enqueue(task).id();
        test.store.fail(List.of(new Failure(claimed().attempt(), Duration.ofMillis(3), Duration.ZERO, "e", "first")));
        test.store.fail(List.of(Failure.forGood(claimed().attempt(), Duration.ofMillis(20), "e", "for good")));
        return id;
    }

    private static ClaimedTask claimed() {
        return test.store
                .claim(new ClaimRequest("w", Set.of("t"), Map.of("default", 1), 0, Duration.ofHours(1), true))
                .tasks()
                .get(0);
    }
}
