package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TransactionContext;
import dev.sweep.event.TaskEvent.AttemptGivenUp;
import dev.sweep.event.TaskEvent.AttemptInterrupted;
import dev.sweep.event.TaskEvent.CommitInDoubt;
import dev.sweep.event.TaskEvent.OutcomeRefused;
import dev.sweep.event.TaskEvent.TasksReclaimed;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** Transactional handlers leave one effect per task, whatever happens to their connections and whatever they hold. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class TransactionalHandlersIT {

    @RegisterExtension
    static final Database db = Database.named("transactional");

    private static final RetryPolicy AT_ONCE = RetryPolicy.fixed(Duration.ZERO);

    private static HikariDataSource pool(DataSource source, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(10_000);
        return new HikariDataSource(config);
    }

    /** Connections that send each statement's text each time, so that the network can see it. */
    private static DataSource alwaysInFull(TcpProxy network) throws SQLException {
        PGSimpleDataSource source = network.dataSource().unwrap(PGSimpleDataSource.class);
        source.setPrepareThreshold(0);
        return source;
    }

    private static void leaveEffect(TransactionContext context) throws SQLException {
        Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w");
    }

    private static void assertThatEachHasOneEffect(List<TaskId> ids) {
        assertThat(ids).extracting(db::status).containsOnly(TaskStatus.SUCCEEDED);
        assertThat(db.query("select distinct count(*) from sweep.fx group by task_id"))
                .as("effects per task")
                .containsExactly(1L);
        assertThat(db.count("sweep.fx")).isEqualTo(ids.size());
    }

    private static void assertThatNoSessionWasLeftInATransaction() {
        assertThat(db.query("select query from pg_stat_activity where state like 'idle in transaction%'"
                        + " and query like '%" + db.schema + "%'"))
                .isEmpty();
    }

    /**
     * The network breaks at the commit: before the server gets it, after, or so that nobody hears anything again. One slot,
     * and no reclaim, so that the broken commits are those of the handler.
     */
    @Test
    void aCommitWhoseAnswerIsLostIsDecidedByLooking() throws Exception {
        List<TcpProxy.Fault> faults = List.of(
                TcpProxy.Fault.CUT_AFTER,
                TcpProxy.Fault.CUT_BEFORE,
                TcpProxy.Fault.SWALLOW_AFTER,
                TcpProxy.Fault.CUT_AFTER,
                TcpProxy.Fault.SWALLOW_BEFORE,
                TcpProxy.Fault.CUT_BEFORE);
        List<CountDownLatch> sprung = new CopyOnWriteArrayList<>();
        Set<TaskId> broken = ConcurrentHashMap.newKeySet();
        List<TaskId> ids = new ArrayList<>();
        faults.forEach(fault ->
                ids.add(db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING)).id()));
        try (TcpProxy network = TcpProxy.before(db.server);
                HikariDataSource pool = pool(alwaysInFull(network), 8);
                Sweep sweep = Sweep.create(
                        JooqTaskStore.builder(pool).schema(db.schema).build());
                Worker worker = Database.started(db.worker("w", sweep)
                        .queue("default", 1)
                        .retryPolicy(AT_ONCE)
                        .leaseDuration(Duration.ofSeconds(3))
                        .heartbeat(Duration.ofMillis(300))
                        .reclaimInterval(Duration.ofMinutes(10))
                        .handleInTransaction(Errands.QUICK_TX, (nothing, context) -> {
                            leaveEffect(context);
                            if (broken.add(context.id())) {
                                sprung.add(network.breakAt(ChaosVictim.COMMIT, faults.get(ids.indexOf(context.id()))));
                            }
                        }))) {
            db.awaitCount(faults.size(), "sweep.task_outcome");
        }
        assertThat(sprung)
                .hasSize(faults.size())
                .allSatisfy(fault -> assertThat(fault.getCount()).isZero());
        assertThatEachHasOneEffect(ids);
        assertThat(ids).map(db::task).extracting(Task::retryCount).containsOnly(0);
        assertThat(db.events.of(CommitInDoubt.class))
                .as("commits that looking found")
                .hasSize(3)
                .allMatch(CommitInDoubt::isFoundCommitted);
        assertThat(db.events.of(AttemptGivenUp.class))
                .as("commits that did not happen")
                .hasSize(3);
        assertThat(db.events.of(OutcomeRefused.class)).isEmpty();
    }

    /** Case B29, in a pool that has no connection to spare. What breaks the connection costs no retry but a loss. */
    @Test
    void aFailureIsRecordedOverAnotherConnectionWhateverBecameOfTheHandlersOwn() throws Exception {
        TaskId id = db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING)).id();
        AtomicInteger runs = new AtomicInteger();
        try (HikariDataSource pool = pool(db.server.dataSource(), 7);
                Sweep sweep = Sweep.create(
                        JooqTaskStore.builder(pool).schema(db.schema).build());
                Worker worker = Database.started(Database.reclaiming(db.worker("w", sweep))
                        .queue("default", 2)
                        .retryPolicy(AT_ONCE)
                        .handleInTransaction(Errands.QUICK_TX, (nothing, context) -> {
                            leaveEffect(context);
                            misbehave(context.connection(), runs.incrementAndGet());
                        }))) {
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
            assertThatNoSessionWasLeftInATransaction();
        }
        assertThatEachHasOneEffect(List.of(id));
        assertThat(db.query("select error_class from sweep.task_failure order by failed_at"))
                .containsExactly(
                        "org.postgresql.util.PSQLException",
                        "java.sql.SQLException",
                        "worker lost",
                        "dev.sweep.StoreException");
        assertThat(db.task(id).retryCount()).isEqualTo(3);
        assertThat(db.task(id).losses()).isEqualTo(1);
    }

    private static void misbehave(Connection connection, int run) throws SQLException {
        switch (run) {
            case 1 -> db.execute(connection, "insert into sweep.queue values (null)");
            case 2 -> connection.close();
            case 3 -> {
                Object backend = db.query(connection, "select pg_backend_pid()").get(0);
                db.execute("select pg_terminate_backend(" + backend + ")");
            }
            case 4 -> db.execute(connection, "select 1; rollback");
            default -> {
                // Well-behaved at last.
            }
        }
    }

    /** Case B39. */
    @Test
    void aHandlerThatHoldsItsOwnTaskKeepsItsLeaseAndThoseOfTheOthers() throws Exception {
        Duration lease = Duration.ofSeconds(4);
        String past = "select clock_timestamp() > claimed_at + interval '9 s' from sweep.task_lease l"
                + " join sweep.task_running r on r.lease = l.id where r.id = ";
        List<TaskId> ids = new ArrayList<>();
        ids.add(db.sweep.enqueue(Errands.HOLD_TX.with(Errands.NOTHING)).id());
        for (int i = 0; i < 3; i++) {
            ids.add(db.sweep.enqueue(Errands.HOLD.with(Errands.NOTHING)).id());
        }
        WorkerBuilder first = db.worker("first")
                .queue("default", 4)
                .leaseDuration(lease)
                .heartbeat(Duration.ofMillis(500))
                .handleInTransaction(Errands.HOLD_TX, (nothing, context) -> {
                    Connection connection = context.connection();
                    db.query(connection, "select id from sweep.task where id = " + context.id() + " for update");
                    db.query(
                            connection, "select id from sweep.task_running where id = " + context.id() + " for update");
                    leaveEffect(context);
                    Awaiting.until(
                            "two leases have passed",
                            () -> db.query(past + context.id()).equals(List.of(true)));
                })
                .handle(Errands.HOLD, (nothing, context) -> {
                    Awaiting.until(
                            "two leases have passed",
                            () -> db.query(past + context.id()).equals(List.of(true)));
                    Errands.leaveEffect(db.source, db.schema, context, "first");
                });
        WorkerBuilder second = db.worker("second", db.anotherSweep())
                .leaseDuration(lease)
                .heartbeat(Duration.ofMillis(500))
                .reclaimInterval(Duration.ofMillis(50));
        try (Worker working = Database.started(first);
                Worker reclaiming = Database.started(second.handle(Errands.QUICK, (nothing, context) -> {}))) {
            db.awaitCount(4, "sweep.task_outcome");
        }
        assertThatEachHasOneEffect(ids);
        assertThat(ids).map(db::task).extracting(Task::losses).containsOnly(0);
        assertThat(db.count("sweep.task_failure")).as("deadlocks among others").isZero();
        assertThat(db.events.of(TasksReclaimed.class)).isEmpty();
        assertThat(db.events.of(AttemptInterrupted.class)).isEmpty();
    }
}
