package dev.sweep.jooq;

import dev.sweep.spi.Completion;
import dev.sweep.spi.TransactionalStore.TransactionWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A connection, from when it is borrowed for one handler's transaction until it is given back just as it came. One that a
 * handler left changed is not given back but ended, so that its source opens a new one: only the source knows how it wants
 * its connections to be.
 */
final class HandlerSession implements AutoCloseable {

    /** None of our own statements takes nearly this long; a connection that is silent for longer is dead. */
    private static final int NETWORK_TIMEOUT_MILLIS = 30_000;

    private final Connection connection;
    private final SessionState state;
    private final TransactionGuard guard;
    private final boolean autoCommit;
    private final int networkTimeout;
    private final TransactionMark mark;

    private HandlerSession(Connection connection, SessionState state) throws SQLException {
        this.connection = connection;
        this.state = state;
        this.guard = new TransactionGuard(connection);
        this.autoCommit = connection.getAutoCommit();
        this.networkTimeout = connection.getNetworkTimeout();
        if (!autoCommit) {
            connection.rollback();
        }
        answersWithin(NETWORK_TIMEOUT_MILLIS);
        connection.setAutoCommit(true);
        String expression = state.expression(connection);
        connection.setAutoCommit(false);
        this.mark = TransactionMark.begun(connection, expression);
    }

    /** Borrows a connection and begins the transaction. */
    static HandlerSession begun(CheckedDataSource source, SessionState state) {
        Connection connection;
        try {
            connection = source.getConnection();
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
        try {
            if (CheckedDataSource.mayOnlyRead(connection)) {
                throw new SQLException("the database may only be read now", SqlErrors.READ_ONLY);
            }
            return new HandlerSession(connection, state);
        } catch (SQLException e) {
            Discarded.connection(connection);
            throw SqlErrors.translated(e);
        } catch (RuntimeException | Error e) {
            Discarded.connection(connection);
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    TransactionMark mark() {
        return mark;
    }

    /** Runs the handlers on a guarded view, which is over when they have returned. */
    List<Completion> run(TransactionWork work) throws Exception {
        answersWithin(networkTimeout);
        try {
            return List.copyOf(work.run(guard.connection()));
        } finally {
            answersWithinOurOwnTime();
            guard.end();
        }
    }

    private void answersWithinOurOwnTime() {
        try {
            answersWithin(NETWORK_TIMEOUT_MILLIS);
        } catch (SQLException gone) {
            // What the handler threw is worth more; if it did not, the next statement tells.
        }
    }

    /** Rolls back; whether the server could be told. */
    boolean isRolledBack() {
        try {
            connection.rollback();
            return true;
        } catch (SQLException gone) {
            return false;
        }
    }

    /** How long to wait for the server's answers; zero: for ever. */
    void answersWithin(int millis) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
            if (guard.isSessionChanged() || !state.isAgain(connection, mark.sessionState())) {
                Discarded.connection(connection);
                return;
            }
            connection.setAutoCommit(autoCommit);
            answersWithin(networkTimeout);
            connection.close();
        } catch (SQLException gone) {
            Discarded.connection(connection);
        }
    }
}
