package dev.sweep.jooq;

import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.LoggerFactory;

/**
 * The connections of an application, looked at before the store uses them. A session that may only read, as pools keep them
 * from before a failover, is ended rather than used. Behind a pooler that gives each transaction to another server session
 * nothing is prepared on the server. Thread-safe.
 */
final class CheckedDataSource implements DataSource {

    private static final int TRIES = 3;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(CheckedDataSource.class);

    private final DataSource source;
    private volatile @Nullable Boolean isPooled;

    CheckedDataSource(DataSource source) {
        this.source = source;
    }

    /** One that may write; one that may only read if no other is to be had. */
    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = source.getConnection();
        for (int attempt = 1; attempt < TRIES && mayOnlyRead(connection); attempt++) {
            Discarded.connection(connection);
            connection = source.getConnection();
        }
        try {
            if (isPooled(connection)) {
                connection.unwrap(PGConnection.class).setPrepareThreshold(0);
            }
            return connection;
        } catch (SQLException | RuntimeException | Error e) {
            Discarded.connection(connection);
            throw e;
        }
    }

    /** As the server told the driver, without asking it; what poolers don't pass on is taken for a no. */
    static boolean mayOnlyRead(Connection connection) throws SQLException {
        Optional<PGConnection> driver = driverOf(connection);
        return driver.isPresent()
                && ("on".equals(driver.get().getParameterStatus("default_transaction_read_only"))
                        || "on".equals(driver.get().getParameterStatus("in_hot_standby")));
    }

    /** Whether transactions of one connection may run on different server sessions; asked once, with a round trip. */
    boolean isPooled(Connection connection) throws SQLException {
        Boolean known = isPooled;
        if (known == null) {
            known = looksPooled(connection);
            isPooled = known;
            if (known) {
                LOG.info("connections go through a pooler, such as PgBouncer: workers send their settings with each"
                        + " transaction, and prepare no statements on the server");
            }
        }
        return known;
    }

    private static boolean looksPooled(Connection connection) throws SQLException {
        int patience = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
        boolean isBehindPooler = PoolerCheck.isBehindPooler(connection);
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        connection.setNetworkTimeout(Runnable::run, patience);
        return isBehindPooler;
    }

    private static Optional<PGConnection> driverOf(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                ? Optional.of(connection.unwrap(PGConnection.class))
                : Optional.empty();
    }

    /** How many connections there are at most, if the pool is one that says so. */
    OptionalInt limit() {
        try {
            return source instanceof HikariDataSource || source.isWrapperFor(HikariDataSource.class)
                    ? OptionalInt.of(source.unwrap(HikariDataSource.class).getMaximumPoolSize())
                    : OptionalInt.empty();
        } catch (SQLException unknown) {
            return OptionalInt.empty();
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("connections are those of the application's DataSource");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
