package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.DedupKey;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.maintenance.ChoreReport;
import dev.sweep.maintenance.MaintenanceService;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TransactionEnd;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs hot statements through a store, as a worker or a caller would, on tasks that another store has got ready. */
final class HotWork {

    private static final Duration LEASE = Duration.ofMinutes(30);
    private static final Duration RUN_TIME = Duration.ofMillis(1);
    private static final int LEASES = 5;
    private static final int LOST = 10;
    /** Fewer are not worth a fold. */
    private static final int MANY_TOTALS = 20;

    private static final TaskType<Json> TYPE = TaskType.json("t");

    private static final AtomicInteger KEYS = new AtomicInteger();

    private final Database db;
    private final JooqTaskStore before;
    private final int batch;

    private HotWork(Database db, JooqTaskStore before, int batch) {
        this.db = db;
        this.before = before;
        this.batch = batch;
    }

    /**
     * What must be there for it is there when this returns; the answer is for the store that is judged.
     *
     * @param batch how many tasks make many
     */
    static Consumer<JooqTaskStore> prepared(Database db, HotStatement statement, int batch) {
        try (JooqTaskStore before = db.newStore()) {
            return new HotWork(db, before, batch).readied(statement);
        }
    }

    private Consumer<JooqTaskStore> readied(HotStatement statement) {
        return switch (statement) {
            case CLAIM_OF_NOTHING ->
                store -> assertThat(claim(store, "later", batch, false)).isEmpty();
            case CLAIM_OF_ONE -> claiming(1, false);
            case CLAIM -> claiming(batch, false);
            case CLAIM_EVENLY -> claiming(batch, true);
            case CLAIM_OF_LOST -> claimingLost();
            case COMPLETE_IN_TRANSACTION -> completingInTransaction();
            case COMPLETE -> ending(task -> new Completion(task.attempt(), RUN_TIME), JooqTaskStore::complete);
            case FAIL_WITH_RETRY ->
                ending(task -> new Failure(task.attempt(), RUN_TIME, LEASE, "E", "once"), JooqTaskStore::fail);
            case FAIL_FOR_GOOD ->
                ending(task -> Failure.forGood(task.attempt(), RUN_TIME, "E", "ever"), JooqTaskStore::fail);
            case SNOOZE -> ending(task -> new Snooze(task.attempt(), LEASE), JooqTaskStore::snooze);
            case RELEASE -> ending(ClaimedTask::attempt, JooqTaskStore::release);
            case HEARTBEAT -> beating();
            case RECLAIM_OF_NOTHING -> reclaimingNothing();
            case RECLAIM -> reclaiming();
            case ENQUEUE_ONE -> store -> store.enqueue(records(1, false));
            case ENQUEUE -> store -> store.enqueue(records(batch, false));
            case ENQUEUE_WITH_KEYS -> store -> store.enqueue(records(batch, true));
            case ENQUEUE_DUPLICATES -> enqueuingDuplicates();
            case CANCEL_ONE -> cancelling();
            case FIND_ONE -> finding();
            case MOVE_NO_DEAD_LETTERS -> movingNone();
            case MOVE_DEAD_LETTERS -> movingDeadLetters();
            case DELETE_NO_OLD_TASKS -> chore("old-tasks", 0);
            case DELETE_OLD_TASKS -> deletingOldTasks();
            case FOLD_TOTALS -> foldingTotals();
            case COUNT_TASKS -> store -> assertThat(store.counts()).hasSize(TaskStatus.values().length);
        };
    }

    private Consumer<JooqTaskStore> claiming(int room, boolean evenly) {
        enqueue(room);
        return store -> assertThat(claim(store, "default", room, evenly)).hasSizeBetween(1, room);
    }

    private Consumer<JooqTaskStore> claimingLost() {
        before.lose(attempts(held(LOST)));
        enqueue(1);
        return store -> assertThat(
                        store.claim(request("default", 1, LOST, LEASE, false)).tasks())
                .hasSize(LOST + 1);
    }

    /** Ends a batch in one call. */
    private <R> Consumer<JooqTaskStore> ending(Function<ClaimedTask, R> outcome, Ending<R> ending) {
        List<R> outcomes = held(batch).stream().map(outcome).toList();
        return store -> assertThat(ending.end(store, outcomes)).hasSameSizeAs(outcomes);
    }

    @FunctionalInterface
    private interface Ending<R> {
        Set<Attempt> end(JooqTaskStore store, List<R> outcomes);
    }

    private Consumer<JooqTaskStore> completingInTransaction() {
        List<ClaimedTask> tasks = held(1);
        List<Completion> completions = List.of(new Completion(tasks.get(0).attempt(), RUN_TIME));
        return store -> {
            try {
                assertThat(store.completeInTransaction(tasks, connection -> completions))
                        .isInstanceOf(TransactionEnd.Committed.class);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
    }

    private Consumer<JooqTaskStore> beating() {
        List<ClaimedTask> tasks = Stream.generate(() -> held(Math.max(1, batch / LEASES)))
                .limit(LEASES)
                .flatMap(List::stream)
                .toList();
        Set<Attempt> attempts = new HashSet<>(attempts(tasks));
        Set<Long> leases = attempts.stream().map(Attempt::lease).collect(Collectors.toSet());
        return store -> assertThat(store.heartbeat(new HeartbeatRequest("w", LEASE, leases, attempts))
                        .extended())
                .hasSize(LEASES);
    }

    private Consumer<JooqTaskStore> reclaimingNothing() {
        held(batch);
        return store -> assertThat(store.reclaim(RUN_TIME, batch).returned()).isEmpty();
    }

    private Consumer<JooqTaskStore> reclaiming() {
        enqueue(batch);
        before.claim(request("default", batch, 0, Duration.ofMillis(1), false));
        db.awaitCount(1, "sweep.task_lease where lease_until < clock_timestamp()");
        return store -> assertThat(store.reclaim(RUN_TIME, batch).returned()).hasSize(batch);
    }

    private Consumer<JooqTaskStore> enqueuingDuplicates() {
        List<TaskRecord> records = records(batch, true);
        before.enqueue(records);
        return store -> assertThat(store.enqueue(records)).noneMatch(enqueued -> enqueued.isNew());
    }

    private Consumer<JooqTaskStore> cancelling() {
        TaskId id = enqueue(1).get(0);
        return store -> assertThat(store.cancel(id)).contains(TaskStatus.CANCELLED);
    }

    private Consumer<JooqTaskStore> finding() {
        ClaimedTask task = held(1).get(0);
        before.complete(List.of(new Completion(task.attempt(), RUN_TIME)));
        return store -> assertThat(store.find(task.id())).isPresent();
    }

    private Consumer<JooqTaskStore> movingNone() {
        run(before, "dead-letters");
        return chore("dead-letters", 0);
    }

    private Consumer<JooqTaskStore> movingDeadLetters() {
        before.fail(held(batch).stream()
                .map(task -> Failure.forGood(task.attempt(), RUN_TIME, "E", "ever"))
                .toList());
        return chore("dead-letters", batch);
    }

    private Consumer<JooqTaskStore> deletingOldTasks() {
        db.execute("""
                with made as (
                    select sweep.id_at(at, n) as id, at from (
                        select now() - interval '8 days' as at, n from generate_series(1, %d) n) m
                ), stored as (
                    insert into sweep.task (id, created_at, due_at, type, payload) select id, at, at, 't', '{}' from made
                )
                insert into sweep.task_outcome (id, created_at, finished_at, retries, losses, status)
                select id, sweep.id_time(id), at, 0, 0, 'succeeded' from made
                """.formatted(batch));
        return chore("old-tasks", batch);
    }

    private Consumer<JooqTaskStore> foldingTotals() {
        db.execute("insert into sweep.stat_delta (status, tasks, run_micros)"
                + " select 'succeeded', 1, 1 from generate_series(1, " + Math.max(MANY_TOTALS, batch) + ")");
        return store -> assertThat(run(store, "totals").rows()).isGreaterThanOrEqualTo(batch);
    }

    private static Consumer<JooqTaskStore> chore(String name, long rows) {
        return store -> assertThat(run(store, name).rows()).isEqualTo(rows);
    }

    private static ChoreReport run(JooqTaskStore store, String chore) {
        try (MaintenanceService service =
                MaintenanceService.builder(store).only(List.of(chore)).build()) {
            ChoreReport report = service.runOnce().get(0);
            assertThat(report.error()).isEmpty();
            return report;
        }
    }

    /** Attempts under way, all of one lease. */
    private List<ClaimedTask> held(int room) {
        enqueue(room);
        List<ClaimedTask> tasks = claim(before, "default", room, false);
        assertThat(tasks).hasSize(room);
        return tasks;
    }

    private static List<ClaimedTask> claim(JooqTaskStore store, String queue, int room, boolean evenly) {
        return store.claim(request(queue, room, 0, LEASE, evenly)).tasks();
    }

    private static ClaimRequest request(String queue, int room, int lostRoom, Duration lease, boolean evenly) {
        return new ClaimRequest("w", Set.of("t"), Map.of(queue, room), lostRoom, lease, true, evenly);
    }

    private static List<Attempt> attempts(List<ClaimedTask> tasks) {
        return tasks.stream().map(ClaimedTask::attempt).toList();
    }

    private List<TaskId> enqueue(int number) {
        return before.enqueue(records(number, false)).stream()
                .map(enqueued -> enqueued.id())
                .toList();
    }

    private static List<TaskRecord> records(int number, boolean withKeys) {
        return IntStream.range(0, number)
                .mapToObj(n -> record(TYPE.with(Json.of("{}")), withKeys))
                .toList();
    }

    private static TaskRecord record(NewTask<Json> task, boolean withKey) {
        return TaskRecord.of(withKey ? task.dedupKey(DedupKey.of("new " + KEYS.incrementAndGet())) : task, "{}");
    }
}
