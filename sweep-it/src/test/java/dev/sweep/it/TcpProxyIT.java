package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.it.TcpProxy.Fault;
import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tool of other tests does what they rely on. */
class TcpProxyIT {

    private static final int PATIENCE_MILLIS = 500;

    private final PostgresServer server = PostgresServer.shared();
    private final String schema = server.newSchemaName("proxy");
    private TcpProxy proxy;

    @BeforeEach
    void open() throws Exception {
        proxy = TcpProxy.before(server);
        onServer("create schema " + schema);
        onServer("create table " + schema + ".t (n int)");
    }

    @AfterEach
    void close() {
        proxy.close();
        server.dropSchema(schema);
    }

    @Test
    void passesUntilToldOtherwise() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            insert(connection);
            assertThat(rows()).isEqualTo(1);
            proxy.cut();
            assertThatThrownBy(() -> insert(connection)).hasRootCauseInstanceOf(IOException.class);
        }
        try (Connection next = proxy.dataSource().getConnection()) {
            insert(next);
        }
        assertThat(proxy.accepted()).isEqualTo(2);
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void swallowsWithoutAnEndOrAResetAndPassesLaterConnectionsOnceTold() throws Exception {
        try (Connection silent = proxy.dataSource().getConnection()) {
            silent.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
            proxy.swallow();
            assertThatThrownBy(() -> insert(silent)).hasRootCauseInstanceOf(SocketTimeoutException.class);
        }
        proxy.pass();
        try (Connection next = proxy.dataSource().getConnection()) {
            insert(next);
        }
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void refusesUntilToldToPass() throws SQLException {
        proxy.refuse();
        assertThatThrownBy(() -> proxy.dataSource().getConnection()).isInstanceOf(SQLException.class);
        proxy.pass();
        proxy.dataSource().getConnection().close();
    }

    @ParameterizedTest
    @EnumSource
    void breaksAtACommitBeforeOrAfterTheServerHasIt(Fault fault) throws Exception {
        try (Connection connection = proxy.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
            insert(connection);
            CountDownLatch sprung = proxy.breakAt("COMMIT", fault);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            Awaiting.opened(sprung);
        }
        boolean isCommitted = fault == Fault.CUT_AFTER || fault == Fault.SWALLOW_AFTER;
        assertThat(rows()).isEqualTo(isCommitted ? 1 : 0);
        proxy.dataSource().getConnection().close();
    }

    private void insert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into " + schema + ".t values (1)");
        }
    }

    private long rows() throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + schema + ".t")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void onServer(String sql) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
