package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.TransactionLostException;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Reclaimed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HandlerTransactionsIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final Duration RUN_TIME = Duration.ofMillis(5);
    private static StoreUnderTest test;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("transaction");
        test.execute("create table sweep.effect (task_id bigint, once int unique)");
    }

    @AfterAll
    static void drop() {
        test.close();
    }

    @BeforeEach
    void empty() {
        test.execute("truncate sweep.task, sweep.task_ready, sweep.task_running, sweep.task_lease, sweep.task_outcome,"
                + " sweep.effect");
    }

    private static ClaimedTask claimed() {
        return claimed(Duration.ofMinutes(1));
    }

    private static ClaimedTask claimed(Duration lease) {
        test.sweep.enqueue(TYPE.with(Json.of("{}")));
        ClaimRequest one = new ClaimRequest("w", Set.of("t"), Map.of("default", 1), 0, lease, false);
        return test.store.claim(one).tasks().get(0);
    }

    private static Duration effect(Connection connection, TaskId id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(test.inSchema("insert into sweep.effect values (" + id + ", 1)"));
        }
        return RUN_TIME;
    }

    private static TaskStatus status(ClaimedTask task) {
        return test.sweep.find(task.id()).orElseThrow().status();
    }

    @Test
    void effectAndCompletionAreOneCommit() throws Exception {
        ClaimedTask task = claimed();
        boolean committed = test.store.completeInTransaction(task, connection -> {
            effect(connection, task.id());
            assertThat(test.count("sweep.effect")).as("seen from outside").isZero();
            return RUN_TIME;
        });
        assertThat(committed).isTrue();
        assertThat(test.count("sweep.effect")).isEqualTo(1);
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void anExceptionRollsTheEffectBackAndLeavesTheAttemptToTheFailurePath() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> test.store.completeInTransaction(task, connection -> {
                    effect(connection, task.id());
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(test.count("sweep.effect")).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void aLostAttemptLosesItsEffects() throws Exception {
        ClaimedTask task = claimed();
        boolean committed = test.store.completeInTransaction(task, connection -> {
            test.sweep.cancel(task.id());
            return effect(connection, task.id());
        });
        assertThat(committed).isFalse();
        assertThat(test.count("sweep.effect")).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.CANCELLED);
    }

    /** Case B30: a swallowed error has aborted the transaction, and a commit would silently be a rollback. */
    @Test
    void aSwallowedErrorNeverPassesForASuccess() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> test.store.completeInTransaction(task, connection -> {
                    effect(connection, task.id());
                    assertThatThrownBy(() -> effect(connection, task.id())).isInstanceOf(SQLException.class);
                    return RUN_TIME;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was aborted by an earlier error that its handler swallowed");
        assertThat(test.count("sweep.effect")).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void aTextualCommitIsNoticed() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> test.store.completeInTransaction(task, connection -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("commit");
                        statement.execute("begin");
                    }
                    return RUN_TIME;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("textual COMMIT");
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void theHandlersConnectionRefusesWhatWouldEndOrChangeTheTransaction() throws Exception {
        ClaimedTask task = claimed();
        test.store.completeInTransaction(task, connection -> {
            List<ThrowingCall> refused = List.of(
                    connection::commit,
                    connection::rollback,
                    connection::close,
                    () -> connection.setAutoCommit(true),
                    () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
                    () -> connection.unwrap(Connection.class));
            for (ThrowingCall call : refused) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("Sweep ends this transaction");
            }
            connection.rollback(connection.setSavepoint());
            return RUN_TIME;
        });
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void theConnectionIsNoUseAfterTheHandlerHasReturned() throws Exception {
        ClaimedTask task = claimed();
        Connection[] kept = new Connection[1];
        test.store.completeInTransaction(task, connection -> {
            kept[0] = connection;
            return RUN_TIME;
        });
        assertThat(kept[0].isClosed()).isTrue();
        assertThatThrownBy(kept[0]::createStatement).hasMessageContaining("the handler has returned");
    }

    /** Case B29, third part. */
    @Test
    void aKilledBackendIsReportedAsLostAndLeavesNoEffect() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> test.store.completeInTransaction(task, connection -> {
                    effect(connection, task.id());
                    try (Statement statement = connection.createStatement();
                            var row = statement.executeQuery("select pg_backend_pid()")) {
                        row.next();
                        test.execute("select pg_terminate_backend(" + row.getInt(1) + ")");
                    }
                    return RUN_TIME;
                }))
                .isInstanceOf(TransactionLostException.class);
        assertThat(test.count("sweep.effect")).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void sessionChangesDoNotReachTheNextUserOfTheConnection() throws Exception {
        ClaimedTask task = claimed();
        test.store.completeInTransaction(task, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set statement_timeout = '7s'");
            }
            return RUN_TIME;
        });
        for (int i = 0; i < 10; i++) {
            assertThat(test.query("show statement_timeout")).containsExactly("0");
        }
        assertThat(test.count("pg_stat_activity where state like 'idle in transaction%' and query like '%effect%'"))
                .isZero();
    }

    /** A process that freezes at the worst moment: its completion has locked the row, its commit is not sent. */
    @Test
    @Timeout(30)
    void aProcessThatFreezesBeforeItsCommitHoldsItsTaskNoLongerThanItsLease() throws Exception {
        ClaimedTask task = claimed(Duration.ofMillis(300));
        CountDownLatch frozen = new CountDownLatch(1);
        CountDownLatch thawed = new CountDownLatch(1);
        JooqTaskStore store = JooqTaskStore.builder(beforeEach("commit", connection -> {
                    frozen.countDown();
                    thawed.await();
                }))
                .schema(test.schema)
                .build();
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread process = new Thread(() -> {
            try {
                answer.complete(store.completeInTransaction(task, connection -> effect(connection, task.id())));
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        process.setDaemon(true);
        process.start();
        frozen.await();

        Reclaimed reclaimed = test.store.reclaim(Duration.ZERO, 10);
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (reclaimed.size() == 0 && System.nanoTime() < deadline) {
            reclaimed = test.store.reclaim(Duration.ZERO, 10);
        }
        assertThat(reclaimed.returned()).containsExactly(task.attempt());
        thawed.countDown();
        assertThat(answer)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreUnavailableException.class);
        assertThat(test.count("sweep.effect")).isZero();
    }

    @Test
    void aConnectionThatCanNotBeSetUpIsGivenBack() throws Exception {
        ClaimedTask task = claimed();
        List<Connection> given = new ArrayList<>();
        JooqTaskStore store = JooqTaskStore.builder(beforeEach("setAutoCommit", connection -> {
                    given.add(connection);
                    throw new SQLException("no");
                }))
                .schema(test.schema)
                .build();
        assertThatThrownBy(() -> store.completeInTransaction(task, connection -> RUN_TIME))
                .isInstanceOf(StoreException.class);
        assertThat(given)
                .isNotEmpty()
                .allSatisfy(connection -> assertThat(connection.isClosed()).isTrue());
    }

    /** New connections, on which something happens before a method is called. */
    private static DataSource beforeEach(String method, ConnectionEvent event) {
        DataSource real = test.server.dataSource();
        return intercepted(DataSource.class, (call, arguments) -> {
            Object answer = call.invoke(real, arguments);
            return answer instanceof Connection connection ? intercepted(connection, method, event) : answer;
        });
    }

    private static Connection intercepted(Connection real, String method, ConnectionEvent event) {
        return intercepted(Connection.class, (call, arguments) -> {
            if (call.getName().equals(method)) {
                event.on(real);
            }
            return call.invoke(real, arguments);
        });
    }

    private static <T> T intercepted(Class<T> type, Interception interception) {
        return type.cast(Proxy.newProxyInstance(
                HandlerTransactionsIT.class.getClassLoader(), new Class<?>[] {type}, (proxy, call, arguments) -> {
                    try {
                        return interception.invoke(call, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    @FunctionalInterface
    private interface Interception {
        @Nullable
        Object invoke(Method call, @Nullable Object[] arguments) throws Exception;
    }

    @FunctionalInterface
    private interface ConnectionEvent {
        void on(Connection connection) throws Exception;
    }

    @FunctionalInterface
    private interface ThrowingCall {
        void run() throws SQLException;
    }
}
