package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.StoreUnavailableException;
import dev.sweep.SweepException;
import dev.sweep.testing.PostgresServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HotSessionIT {

    private final PostgresServer server = PostgresServer.shared();
    private final HikariDataSource pool = PooledDataSource.open(server.jdbcUrl(), server.user(), server.password(), 1);
    private final HotSession session = new HotSession(new CheckedDataSource(pool), SessionSettings.forClaims());

    @AfterEach
    void close() {
        session.close();
        pool.close();
    }

    @Test
    void keepsOneConnectionWithItsSettings() {
        int first = session.run(HotSessionIT::backend);
        assertThat(asked("show enable_seqscan")).isEqualTo("off");
        assertThat(asked("show transaction_isolation")).isEqualTo("read committed");
        assertThat(session.run(HotSessionIT::backend)).isEqualTo(first);
    }

    /** Longer than our patience would mean that the server carries out later what nobody waits for any more. */
    @Test
    void theServerEndsAStatementAndAnOpenTransactionBeforeItsClientGivesUp() {
        assertThat(asked("show statement_timeout")).isEqualTo("20s");
        assertThat(asked("show idle_in_transaction_session_timeout")).isEqualTo("2s");
        int patience = session.run(Connection::getNetworkTimeout);
        assertThat(patience).isGreaterThan(20_000);
    }

    @Test
    void goesOnWithAnotherConnectionAfterItsBackendWasKilled() throws SQLException {
        int first = session.run(HotSessionIT::backend);
        try (Connection another = server.dataSource().getConnection()) {
            ask(another, "select pg_terminate_backend(" + first + ")");
        }
        assertThatThrownBy(() -> session.run(HotSessionIT::backend)).isInstanceOf(StoreUnavailableException.class);
        assertThat(session.run(HotSessionIT::backend)).isNotEqualTo(first);
    }

    @Test
    void aRefusedStatementCostsNeitherTheConnectionNorItsSettings() {
        int first = session.run(HotSessionIT::backend);
        assertThatThrownBy(() -> session.transaction(connection -> ask(connection, "select 1 / 0")))
                .isInstanceOf(SweepException.class)
                .hasMessageContaining("22012");
        assertThat(session.run(HotSessionIT::backend)).isEqualTo(first);
        assertThat(asked("show enable_seqscan")).isEqualTo("off");
    }

    @Test
    void leavesNobodyAConnectionWithItsSettings() throws SQLException {
        int first = session.run(HotSessionIT::backend);
        session.close();
        try (Connection next = pool.getConnection()) {
            assertThat(backend(next)).isNotEqualTo(first);
            assertThat(next.getAutoCommit()).isTrue();
            assertThat(ask(next, "show enable_seqscan")).isEqualTo("on");
            assertThat(ask(next, "show jit")).isEqualTo("on");
        }
    }

    /** Case B67: what a pool keeps from before a failover may only read, and no reset cures it. */
    @Test
    void endsSessionsThatMayOnlyRead() throws SQLException {
        int first = session.run(HotSessionIT::backend);
        asked("select set_config('default_transaction_read_only', 'on', false)");
        assertThatThrownBy(() -> asked("select lo_create(0)::text"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("25006");
        assertThat(session.run(HotSessionIT::backend)).isNotEqualTo(first);
    }

    @Test
    void sessionsThatMayOnlyReadAreNotTakenOutOfThePool() throws SQLException {
        int stale;
        try (Connection readOnly = pool.getConnection()) {
            stale = backend(readOnly);
            ask(readOnly, "select set_config('default_transaction_read_only', 'on', false)");
        }
        try (Connection next = new CheckedDataSource(pool).getConnection()) {
            assertThat(backend(next)).isNotEqualTo(stale);
            assertThat(ask(next, "show transaction_read_only")).isEqualTo("off");
        }
    }

    @Test
    void commitsATransactionAsOne() {
        session.transaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("create temporary table two_steps (n int)");
                statement.execute("insert into two_steps values (1)");
            }
            return null;
        });
        assertThat(asked("select count(*)::text from two_steps")).isEqualTo("1");
    }

    @Test
    @Timeout(20)
    void closingCutsAStatementUnderWay() throws Exception {
        CountDownLatch isRunning = new CountDownLatch(1);
        CompletableFuture<String> longOne = CompletableFuture.supplyAsync(() -> session.<String>run(connection -> {
            isRunning.countDown();
            return ask(connection, "select pg_sleep(600)::text");
        }));
        assertThat(isRunning.await(10, TimeUnit.SECONDS)).isTrue();
        session.close();
        assertThat(longOne).failsWithin(Duration.ofSeconds(10));
        assertThatThrownBy(() -> session.run(HotSessionIT::backend))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the task store is closed");
    }

    @Test
    @Timeout(20)
    void closingEndsAConnectionThatIsBeingOpened() throws Exception {
        CountDownLatch isOpening = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        DataSource slow = slow(isOpening, goOn);
        HotSession opening = new HotSession(new CheckedDataSource(slow), SessionSettings.forClaims());
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> opening.run(HotSessionIT::backend));
        assertThat(isOpening.await(10, TimeUnit.SECONDS)).isTrue();
        opening.close();
        goOn.countDown();
        assertThat(first).failsWithin(Duration.ofSeconds(10));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    private DataSource slow(CountDownLatch isOpening, CountDownLatch goOn) {
        return (DataSource) Proxy.newProxyInstance(
                HotSessionIT.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    isOpening.countDown();
                    goOn.await();
                    return method.invoke(pool, arguments);
                });
    }

    private String asked(String sql) {
        return session.run(connection -> ask(connection, sql));
    }

    private static int backend(Connection connection) throws SQLException {
        return Integer.parseInt(ask(connection, "select pg_backend_pid()::text"));
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
