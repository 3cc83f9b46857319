package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.StoreUnavailableException;
import dev.sweep.SweepException;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HotSessionIT {

    private final PostgresServer server = PostgresServer.shared();
    private final HikariDataSource pool = PooledDataSource.open(server.jdbcUrl(), server.user(), server.password(), 1);
    private final HotSession session = new HotSession(pool, new TaskStatements(new SchemaName("sweep")).session());

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
    void givesItsConnectionBackWithoutItsSettingsAndOutOfAnyTransaction() throws SQLException {
        assertThatThrownBy(() -> session.transaction(connection -> {
                    ask(connection, "select 1");
                    return ask(connection, "select 1 / 0");
                }))
                .isInstanceOf(SweepException.class)
                .hasMessageContaining("22012");
        try (Connection next = pool.getConnection()) {
            assertThat(next.getAutoCommit()).isTrue();
            assertThat(ask(next, "show enable_seqscan")).isEqualTo("on");
            assertThat(ask(next, "show jit")).isEqualTo("on");
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
