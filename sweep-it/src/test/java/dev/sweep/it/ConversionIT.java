package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import dev.sweep.SweepException;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.TransactionConflictException;
import dev.sweep.event.TaskEvent.AttemptGivenUp;
import dev.sweep.event.TaskEvent.LoopFailed;
import dev.sweep.event.TaskEvent.OrphansRemoved;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.partitioning.PartitionState;
import dev.sweep.testing.PostgresServer;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitions are switched on and off while tasks are enqueued and run; nobody notices, whoever is killed meanwhile. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class ConversionIT {

    private static final TaskType<Json> NOTE = TaskType.json("note");
    private static final Json NOTHING = Json.of("{}");

    private final Database db = Database.named("conversion");
    private volatile boolean isOver;

    @BeforeEach
    void open() {
        db.open();
        db.beforeEach(null);
    }

    @AfterEach
    void drop() {
        db.sweep.close();
        db.drop();
    }

    @Test
    void producersAndWorkersNoticeNothing() throws Exception {
        ExecutorService producers = Executors.newFixedThreadPool(3);
        PartitionManager partitions = PartitionManager.of(db.store);
        List<TaskId> ids = new ArrayList<>();
        try (Worker plain = Database.started(
                        db.worker("plain").queue("default", 8).handle(Errands.QUICK, (nothing, context) -> {}));
                Worker transactional = Database.started(db.worker("tx")
                        .queue("default", 4)
                        .handleInTransaction(
                                Errands.QUICK_TX,
                                (nothing, context) -> Errands.leaveEffectInTransaction(
                                        context.connection(), db.schema, context, "tx")))) {
            List<Future<List<TaskId>>> produced = List.of(
                    producers.submit(() -> produce(this::oneWithKey)),
                    producers.submit(() -> produce(this::several)),
                    producers.submit(() -> produce(this::someInATransaction)));
            Awaiting.until("something has ended", () -> db.count("sweep.task_outcome") > 500);

            partitions.enable(CalendarPeriod.DAY);
            Awaiting.until("more has ended", isMoreThan(1_000));
            partitions.disable();
            partitions.enable(CalendarPeriod.WEEK);
            Awaiting.until("more has ended", isMoreThan(2_000));

            isOver = true;
            for (Future<List<TaskId>> each : produced) {
                ids.addAll(Awaiting.answer(each));
            }
            db.awaitCount(ids.size(), "sweep.task_outcome where status = 'succeeded'");
        } finally {
            isOver = true;
            producers.shutdownNow();
        }
        assertThat(partitions.state().period()).contains("week");
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(db.count("sweep.task")).isEqualTo(ids.size());
        assertThat(db.events.of(LoopFailed.class)).isEmpty();
        assertThat(db.events.of(AttemptGivenUp.class)).isEmpty();
        assertThat(db.events.of(OrphansRemoved.class)).isEmpty();
        db.checkPromises();
        db.sweep.close();
        Invariants.check(db);
    }

    private BooleanSupplier isMoreThan(long more) {
        long now = db.count("sweep.task_outcome");
        return () -> db.count("sweep.task_outcome") > now + more;
    }

    /** One call of a producer. */
    @FunctionalInterface
    private interface Producer {
        List<Enqueued> enqueue(int round) throws Exception;
    }

    private List<TaskId> produce(Producer producer) throws Exception {
        List<TaskId> ids = new ArrayList<>();
        for (int round = 0; !isOver; round++) {
            Awaiting.until("workers keep up", () -> isOver || db.count("sweep.task_ready") < 500);
            producer.enqueue(round).forEach(enqueued -> ids.add(enqueued.id()));
        }
        return ids;
    }

    private List<Enqueued> oneWithKey(int round) {
        NewTask<Json> task = Errands.QUICK_TX.with(NOTHING).dedupKey("key " + round);
        Enqueued first = db.sweep.enqueue(task);
        assertThat(db.sweep.enqueue(task).id()).isEqualTo(first.id());
        return List.of(first);
    }

    private List<Enqueued> several(int round) {
        return db.sweep.enqueueAll(IntStream.range(0, 20)
                .mapToObj(n -> Errands.QUICK.with(NOTHING))
                .toList());
    }

    private List<Enqueued> someInATransaction(int round) throws Exception {
        try (Connection tx = db.transaction()) {
            List<Enqueued> enqueued = List.of(
                    db.sweep.enqueue(tx, Errands.QUICK.with(NOTHING)),
                    db.sweep.enqueue(tx, Errands.QUICK_TX.with(NOTHING)));
            tx.commit();
            return enqueued;
        }
    }

    /** A year's rows would take the look through the table minutes; whoever dies at any point leaves something that works. */
    @Test
    void aCutAtAnyPointIsMendedByRunningItAgain() {
        int cuts = 0;
        for (boolean isUncut = false; !isUncut; cuts++) {
            Database fresh = Database.named("cut");
            fresh.open();
            fresh.beforeEach(null);
            try {
                List<TaskId> waiting = new ArrayList<>();
                for (int n = 0; n < 3; n++) {
                    waiting.add(fresh.sweep
                            .enqueue(NOTE.with(NOTHING).dedupKey("k" + n))
                            .id());
                }
                isUncut = enableUntil(fresh, cuts + 1);
                assertThat(worksOn(fresh, waiting)).isTrue();
                PartitionManager partitions =
                        PartitionManager.builder(fresh.store).ahead(1).build();
                partitions.enable(CalendarPeriod.WEEK);
                assertThat(partitions.enable(CalendarPeriod.WEEK)).isEmpty();
                PartitionState state = partitions.state();
                assertThat(state.isConverting()).isFalse();
                assertThat(state.partitions()).hasSize(1);
                assertThat(state.runway()).hasValue(1);
                assertThat(fresh.query("select 1 from pg_constraint where conname = 'sweep_first_bound'"
                                + " and connamespace = '\"" + fresh.schema + "\"'::regnamespace"))
                        .isEmpty();
                waiting.forEach(id -> assertThat(fresh.sweep.find(id)).isPresent());
                fresh.checkPromises();
            } finally {
                fresh.sweep.close();
                fresh.drop();
            }
        }
        assertThat(cuts).isGreaterThan(20);
    }

    private static boolean enableUntil(Database database, int cut) {
        CutSource connections = new CutSource(database.source, cut);
        JooqTaskStore store = JooqTaskStore.builder(connections.source())
                .schema(database.schema)
                .build();
        try (Sweep sweep = Sweep.create(store)) {
            PartitionManager.builder(store).ahead(1).build().enable(CalendarPeriod.WEEK);
            return connections.isUncut();
        } catch (SweepException cutOff) {
            return false;
        }
    }

    /** In between, a task can be enqueued, found, run and cancelled. */
    private static boolean worksOn(Database database, List<TaskId> waiting) {
        TaskId id = database.sweep.enqueue(NOTE.with(NOTHING)).id();
        assertThat(database.sweep.enqueue(NOTE.with(NOTHING).dedupKey("k1")).id())
                .isEqualTo(waiting.get(1));
        assertThat(database.sweep.cancel(waiting.get(0))).contains(TaskStatus.CANCELLED);
        try (Worker worker = Database.started(database.worker("w").handle(NOTE, (nothing, context) -> {}))) {
            database.awaitStatus(id, TaskStatus.SUCCEEDED);
            return database.events.of(LoopFailed.class).isEmpty();
        }
    }

    @Test
    void whoLeavesNoMomentForALockIsNamed() throws Exception {
        db.sweep.enqueue(NOTE.with(NOTHING));
        PartitionManager partitions =
                PartitionManager.builder(db.store).patience(Duration.ZERO).build();
        try (Connection open = db.transaction()) {
            db.sweep.enqueue(open, NOTE.with(NOTHING));

            assertThatThrownBy(() -> partitions.enable(CalendarPeriod.WEEK))
                    .isInstanceOf(TransactionConflictException.class)
                    .hasMessageContaining("application '" + db.schema + "'")
                    .hasMessageContaining("idle in transaction");
            assertThat(db.sweep.enqueue(NOTE.with(NOTHING)).isNew()).isTrue();
            open.rollback();
        }
        partitions.enable(CalendarPeriod.WEEK);
        assertThat(partitions.state().runway()).hasValue(4);
    }

    @Test
    void aPreparedTransactionThatHoldsTheLockIsNamed() throws Exception {
        try (PostgresServer server = PostgresServer.embedded()
                        .setting("max_prepared_transactions", "2")
                        .start();
                JooqTaskStore store = JooqTaskStore.builder(server.dataSource()).build();
                Sweep sweep = Sweep.create(store)) {
            sweep.migrate();
            try (Connection open = server.dataSource().getConnection();
                    Statement statement = open.createStatement()) {
                open.setAutoCommit(false);
                sweep.enqueue(open, NOTE.with(NOTHING));
                statement.execute("prepare transaction 'left behind'");
            }
            PartitionManager partitions =
                    PartitionManager.builder(store).patience(Duration.ZERO).build();
            assertThatThrownBy(() -> partitions.enable(CalendarPeriod.WEEK))
                    .isInstanceOf(TransactionConflictException.class)
                    .hasMessageContaining("prepared transaction 'left behind' of user postgres");
        }
    }
}
