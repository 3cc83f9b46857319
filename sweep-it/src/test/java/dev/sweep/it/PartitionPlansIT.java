package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Snooze;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With 52 partitions, each with rows in it, every step touches those of its own tasks alone. */
class PartitionPlansIT {

    private static final int PARTITIONS = 52;
    private static final TaskType<Json> TYPE = TaskType.json("t");

    @RegisterExtension
    static final Database db = Database.named("partition_plans");

    private final TableCounters counters = new TableCounters(db);

    /** One task that waits and twenty that have ended in each partition, among them one that was cancelled. */
    @BeforeEach
    void fill() {
        PartitionManager.builder(db.store).ahead(PARTITIONS - 1).build().enable(CalendarPeriod.DAY);
        assertThat(db.count("pg_inherits where inhparent = '" + db.schema + ".task'::regclass"))
                .isGreaterThanOrEqualTo(PARTITIONS);
        db.execute("""
                with made as (
                    select sweep.id_at(at, n) as id, at, n
                    from (select date_trunc('day', now(), 'UTC') + d * interval '1 day' + interval '12 hours' as at, n
                          from generate_series(0, 51) d, generate_series(0, 20) n) m
                ), stored as (
                    insert into sweep.task (id, created_at, due_at, type, payload)
                    select id, at, now() - interval '1 hour' + (at - now()) / 10000, 't', '{"a": 1}' from made
                ), waiting as (
                    insert into sweep.task_ready (queue, rank, due_at, id, type)
                    select 'default', 9, now() - interval '1 hour' + (at - now()) / 10000, id, 't' from made where n = 0
                ), counted as (
                    insert into sweep.stat_delta (status, tasks, run_micros)
                    select case n when 1 then 'cancelled' else 'succeeded' end, count(*), 0 from made where n > 0 group by 1
                )
                insert into sweep.task_outcome (id, created_at, finished_at, retries, losses, status)
                select id, sweep.id_time(id), at, 0, 0, case n when 1 then 'cancelled' else 'succeeded' end
                from made where n > 0
                """);
        db.execute("analyze");
    }

    @Test
    void aClaimReadsTheTasksThatItTakes() {
        Set<String> leaves = new TreeSet<>();

        Set<String> touched = touched(store -> claim(store, 3).forEach(task -> leaves.add(leaf("task", task.id()))));

        assertThat(touched).hasSize(3).isEqualTo(leaves);
    }

    @Test
    void aCompletionWritesTheOutcomesAlone() {
        assertThat(ended((store, task) -> store.complete(List.of(new Completion(task.attempt(), Duration.ZERO)))))
                .containsExactly("task_outcome");
        assertThat(ended((store, task) ->
                        store.cancel(List.of(new Cancellation(task.attempt(), Duration.ZERO, "not wanted")))))
                .containsExactly("task_outcome");
    }

    @Test
    void aFailureWritesItselfAndAnOutcomeIfItIsTheLast() {
        assertThat(ended((store, task) ->
                        store.fail(List.of(new Failure(task.attempt(), Duration.ZERO, Duration.ZERO, "E", "once")))))
                .containsExactly("task_failure");
        assertThat(ended((store, task) ->
                        store.fail(List.of(Failure.forGood(task.attempt(), Duration.ZERO, "E", "for good")))))
                .containsExactly("task_failure", "task_outcome");
    }

    @Test
    void whatGoesBackTouchesNone() {
        assertThat(ended((store, task) -> store.release(List.of(task.attempt()))))
                .isEmpty();
        assertThat(ended((store, task) -> store.snooze(List.of(new Snooze(task.attempt(), Duration.ofHours(1))))))
                .isEmpty();
    }

    @Test
    void aLossReadsItsTaskAndWritesAFailure() {
        assertThat(ended((store, task) -> store.lose(List.of(task.attempt())))).containsExactly("task", "task_failure");
    }

    @Test
    void aLookByIdReadsOnePartitionOfEachTable() {
        TaskId id = some("sweep.task_outcome where status = 'succeeded'");

        TableCounters.Touched touched =
                counters.during(store -> assertThat(store.find(id)).isPresent());

        assertThat(tables(id, touched.leaves())).contains("task", "task_outcome");
    }

    @Test
    void aCancelReadsOnePartitionOfEachTable() {
        TaskId waiting = some("sweep.task_ready");
        assertThat(tables(waiting, touched(store -> store.cancel(waiting)))).contains("task", "task_outcome");

        TaskId other = some("sweep.task_ready");
        assertThat(tables(other, touched(store -> store.cancel(Set.of(other))))).contains("task", "task_outcome");
    }

    @Test
    void aChangeOfPriorityReadsOnePartitionOfEachTable() {
        TaskId id = some("sweep.task_ready");

        assertThat(tables(id, touched(store -> store.reprioritise(Set.of(id), 9))))
                .contains("task");
    }

    @Test
    void anEnqueueWritesThePresentPartition() {
        TaskId[] made = new TaskId[1];
        Set<String> touched = touched(store -> {
            try (Sweep sweep = Sweep.create(store)) {
                made[0] = sweep.enqueue(TYPE.with(Json.of("{}")).dedupKey("k")).id();
            }
        });
        assertThat(tables(made[0], touched)).containsExactly("task");

        Set<String> repeated = touched(store -> {
            try (Sweep sweep = Sweep.create(store)) {
                assertThat(sweep.enqueue(TYPE.with(Json.of("{}")).dedupKey("k")).isNew())
                        .isFalse();
            }
        });
        assertThat(tables(made[0], repeated)).isSubsetOf("task", "task_outcome");
    }

    /** It moves rows of all three tables and looks for an earlier requeue: some probes of the keys of each partition. */
    @Test
    void aRequeueProbesEachPartitionAFewTimes() {
        TaskId old = some("sweep.task_outcome where status = 'cancelled'");

        TableCounters.Touched touched = counters.during(store ->
                assertThat(store.requeue(Set.of(old)).get(0).requeuedAs()).isPresent());

        assertThat(touched.leaves()).contains(leaf("task", old), leaf("task_outcome", old));
        assertThat(touched.buffers()).isLessThan(60 + 45 * PARTITIONS);
    }

    private Set<String> touched(Consumer<JooqTaskStore> work) {
        return counters.during(work).leaves();
    }

    /** The tables whose partitions the end of an attempt touches; all of them hold its task. */
    private Set<String> ended(BiConsumer<JooqTaskStore, ClaimedTask> end) {
        ClaimedTask[] claimed = new ClaimedTask[1];
        counters.during(store -> claimed[0] = claim(store, 1).get(0));
        ClaimedTask task = claimed[0];
        return tables(task.id(), touched(store -> end.accept(store, task)));
    }

    private static Set<String> tables(TaskId id, Set<String> leaves) {
        Set<String> tables = new TreeSet<>();
        for (String table : List.of("task", "task_outcome", "task_failure")) {
            if (leaves.contains(leaf(table, id))) {
                tables.add(table);
            }
        }
        assertThat(leaves).as("partitions touched for task " + id).hasSameSizeAs(tables);
        return tables;
    }

    private static List<ClaimedTask> claim(JooqTaskStore store, int room) {
        List<ClaimedTask> tasks = store.claim(
                        new ClaimRequest("w", Set.of("t"), Map.of("default", room), 0, Duration.ofMinutes(5), true))
                .tasks();
        assertThat(tasks).hasSize(room);
        return tasks;
    }

    /** In a partition in the middle. */
    private static TaskId some(String from) {
        return TaskId.of((Long) db.query("select id from " + from + " order by id offset 20 limit 1")
                .get(0));
    }

    private static String leaf(String table, TaskId id) {
        return table + "_"
                + db.query("select to_char(sweep.id_time(" + id + ") at time zone 'UTC', 'YYYYMMDD')")
                        .get(0);
    }
}
