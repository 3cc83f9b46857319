package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskStatus;
import dev.sweep.TransactionConflictException;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Failure;
import dev.sweep.spi.TransactionEnd;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of a transaction whose commit got no answer. */
@Timeout(60)
class CommitLookIT extends HandlerSetting {

    /** Held by a test that wants commits to wait; the number of the lock. */
    private static final int GATE = 4_711;

    private @Nullable Connection gateKeeper;

    /** A commit that has written to this table waits at the gate. */
    @BeforeAll
    static void makeCommitsWait() {
        test.execute("create table sweep.gated (task_id bigint)");
        test.execute("create function sweep.wait_at_gate() returns trigger language plpgsql as"
                + " 'begin perform pg_advisory_xact_lock_shared(" + GATE + "); return null; end'");
        test.execute("create constraint trigger gate after insert on sweep.gated deferrable initially deferred"
                + " for each row execute function sweep.wait_at_gate()");
    }

    @AfterEach
    void openGate() throws SQLException {
        if (gateKeeper != null) {
            gateKeeper.close();
            gateKeeper = null;
        }
    }

    private void closeGate() throws SQLException {
        gateKeeper = test.server.dataSource().getConnection();
        query(gateKeeper, "select pg_advisory_lock(" + GATE + ")");
    }

    private static JooqTaskStore storeOn(DataSource source) {
        return JooqTaskStore.builder(source).schema(test.schema).build();
    }

    /** Connections that send their commit and wait for the answer no longer than a moment. */
    private static DataSource hangingUpAtCommit() {
        return Interceptions.beforeEach(
                test.server.dataSource(), "commit", connection -> connection.setNetworkTimeout(Runnable::run, 100));
    }

    private static void cut(Connection connection) throws SQLException {
        connection.abort(Runnable::run);
    }

    /** The answer is lost, the commit is not. */
    @Test
    void whatWasCommittedIsCalledSo() throws Exception {
        ClaimedTask task = claimed();
        JooqTaskStore store = storeOn(Interceptions.afterEach(test.server.dataSource(), "commit", connection -> {
            throw new SQLException("the answer is lost", "08006");
        }));
        assertThat(run(store, task, connection -> effect(connection, task)))
                .isEqualTo(new TransactionEnd.Committed(true));
        assertThat(effects()).isEqualTo(1);
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    /** The connection is cut before the server got to know of the commit. */
    @Test
    void whatWasNotCommittedFailsTheAttempt() {
        ClaimedTask task = claimed();
        JooqTaskStore store = storeOn(Interceptions.beforeEach(test.server.dataSource(), "commit", CommitLookIT::cut));
        assertThatThrownBy(() -> run(store, task, connection -> effect(connection, task)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the connection broke at the commit of task " + task.id())
                .hasMessageContaining("looking showed that it did not happen");
        assertThat(effects()).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void manyTasksAreLookedForTogether() throws Exception {
        List<ClaimedTask> tasks = claimed(5, Duration.ofMinutes(1));
        JooqTaskStore store = storeOn(Interceptions.afterEach(test.server.dataSource(), "commit", connection -> {
            throw new SQLException("the answer is lost", "08006");
        }));
        assertThat(store.completeInTransaction(tasks, connection -> completions(tasks.toArray(ClaimedTask[]::new))))
                .isEqualTo(new TransactionEnd.Committed(true));
    }

    /**
     * The connection is gone while the server is still at the commit. Neither its outcome nor its absence may be believed,
     * and no failure can be recorded, before it is through.
     */
    @Test
    void aCommitThatIsStillUnderWayIsWaitedFor() throws Exception {
        ClaimedTask task = claimed();
        closeGate();
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch looked = new CountDownLatch(3);
        JooqTaskStore store = storeOn(Interceptions.connections(hangingUpAtCommit(), connection -> {
            if (looks.getAndIncrement() > 0) {
                looked.countDown();
            }
            return connection;
        }));
        CompletableFuture<TransactionEnd> end = inBackground(store, task);

        awaitOneAtTheGate();
        assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(end).isNotDone();
        assertThatThrownBy(() -> fail(task)).isInstanceOf(TransactionConflictException.class);
        assertThat(test.store.reclaim(Duration.ZERO, 10).size()).isZero();

        openGate();
        assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(new TransactionEnd.Committed(true));
        assertThat(fail(task)).as("a failure of what has succeeded").isEmpty();
        assertThat(effects()).isEqualTo(1);
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(test.count("sweep.task_failure")).isZero();
    }

    /** As before, but the server gives the commit up. */
    @Test
    void aCommitThatIsStillUnderWayAndThenRolledBackFailsTheAttempt() throws Exception {
        ClaimedTask task = claimed();
        closeGate();
        CompletableFuture<TransactionEnd> end = inBackground(storeOn(hangingUpAtCommit()), task);

        awaitOneAtTheGate();
        test.execute("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = " + GATE
                + " and not granted");

        assertThat(end)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreUnavailableException.class);
        assertThat(effects()).isZero();
        assertThat(fail(task)).isEqualTo(attempts(task));
    }

    /** Nothing is said of it, so that nobody records anything; the task is found again when its lease is over. */
    @Test
    void whatCanNotBeFoundOutWhileTheLeaseHoldsIsUnknown() throws Exception {
        ClaimedTask task = claimed(Duration.ofMillis(700));
        closeGate();
        CompletableFuture<TransactionEnd> end = inBackground(storeOn(hangingUpAtCommit()), task);

        assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(TransactionEnd.Unknown.class);
        openGate();
        awaitEffect();
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    /** The database is away when the answer is lost; asked until it is back. */
    @Test
    void theLookIsRepeatedUntilTheDatabaseIsBack() throws Exception {
        ClaimedTask task = claimed();
        AtomicBoolean isAway = new AtomicBoolean();
        AtomicInteger inVain = new AtomicInteger();
        DataSource real = Interceptions.afterEach(test.server.dataSource(), "commit", connection -> {
            isAway.set(true);
            cut(connection);
            throw new SQLException("the answer is lost", "08006");
        });
        JooqTaskStore store = storeOn(Interceptions.connections(real, connection -> {
            if (isAway.get() && inVain.incrementAndGet() < 4) {
                connection.close();
                throw new SQLTransientConnectionException("the database is away", "08001");
            }
            return connection;
        }));
        assertThat(run(store, task, connection -> effect(connection, task)))
                .isEqualTo(new TransactionEnd.Committed(true));
        assertThat(inVain).hasValueGreaterThanOrEqualTo(4);
    }

    /** It names the same lease, but is no success. */
    @Test
    void theOutcomeOfALossIsNotTakenForACommit() {
        test.execute("alter table sweep.task alter max_losses set default 0");
        ClaimedTask task = claimed(Duration.ofMillis(1));
        test.execute("update sweep.task set max_losses = 0");
        JooqTaskStore store = storeOn(Interceptions.beforeEach(test.server.dataSource(), "commit", connection -> {
            connection.rollback();
            while (test.store.reclaim(Duration.ZERO, 10).size() == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            cut(connection);
        }));
        assertThatThrownBy(() -> run(store, task, connection -> effect(connection, task)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(status(task)).isEqualTo(TaskStatus.FAILED);
    }

    private static CompletableFuture<TransactionEnd> inBackground(JooqTaskStore store, ClaimedTask task) {
        CompletableFuture<TransactionEnd> end = new CompletableFuture<>();
        Thread worker = new Thread(() -> {
            try {
                end.complete(run(store, task, connection -> {
                    effect(connection, task);
                    execute(connection, "insert into sweep.gated values (1)");
                }));
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        worker.setDaemon(true);
        worker.start();
        return end;
    }

    private static Set<?> fail(ClaimedTask task) {
        return test.store.fail(List.of(new Failure(task.attempt(), RUN_TIME, Duration.ZERO, "an.Error", "no answer")));
    }

    private static void awaitOneAtTheGate() {
        await("pg_locks where locktype = 'advisory' and objid = " + GATE + " and not granted");
    }

    private static void awaitEffect() {
        await("sweep.effect");
    }

    private static void await(String fromWhere) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (test.count(fromWhere) == 0) {
            assertThat(System.nanoTime() - deadline)
                    .as("waited for " + fromWhere)
                    .isNegative();
            LockSupport.parkNanos(2_000_000);
        }
    }
}
