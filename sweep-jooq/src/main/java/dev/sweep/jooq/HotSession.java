package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection of Sweep's own on which hot statements run one at a time, each as a transaction of its own, under one
 * good plan. Opened at the first use, kept, given back to its source after an error, and opened anew by the next call.
 */
final class HotSession implements AutoCloseable {

    /** No hot statement takes nearly this long; a connection that is silent for longer is dead. */
    private static final int NETWORK_TIMEOUT_MILLIS = 30_000;

    private final DataSource source;
    private final String settings;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    HotSession(DataSource source, String settings) {
        this.source = source;
        this.settings = settings;
    }

    /** Runs several statements as one transaction at READ COMMITTED. */
    <T> T transaction(SqlWork<T> work) {
        return run(connection -> OneTransaction.on(connection, work));
    }

    /** Runs one statement with autocommit. */
    <T> T run(SqlWork<T> work) {
        turn.lock();
        try {
            return work.on(opened());
        } catch (SQLException e) {
            giveBack();
            throw SqlErrors.translated(e);
        } catch (RuntimeException | Error e) {
            giveBack();
            throw e;
        } finally {
            turn.unlock();
        }
    }

    private Connection opened() throws SQLException {
        if (closed) {
            throw new SQLException("the task store is closed", SqlErrors.CONNECTION_DOES_NOT_EXIST);
        }
        Connection open = connection;
        if (open == null) {
            open = source.getConnection();
            connection = open;
            open.setAutoCommit(true);
            open.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MILLIS);
            open.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            try (Statement statement = open.createStatement()) {
                statement.execute(settings);
            }
        }
        return open;
    }

    /** Without our settings if it still works; its source finds out if it doesn't. */
    private void giveBack() {
        Connection open = connection;
        connection = null;
        if (open == null) {
            return;
        }
        try (open) {
            try (Statement statement = open.createStatement()) {
                statement.execute("reset all");
            }
        } catch (SQLException broken) {
            abort(open);
        }
    }

    private static void abort(Connection open) {
        try {
            open.abort(Runnable::run);
        } catch (SQLException gone) {
            // Nothing is left to end.
        }
    }

    /** Bounded: a statement under way is cut off rather than waited for. */
    @Override
    public void close() {
        closed = true;
        if (turn.tryLock()) {
            try {
                giveBack();
            } finally {
                turn.unlock();
            }
        } else {
            Connection open = connection;
            if (open != null) {
                abort(open);
            }
        }
    }
}
