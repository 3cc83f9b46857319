package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection of Sweep's own on which hot statements run one at a time, each as a transaction of its own, under one
 * good plan. Opened at the first use and kept; ended, never given back with our settings on it, when it can't serve any
 * more; opened anew by the next call. Behind a pooler, where a session is nobody's own, the settings come with each
 * transaction.
 */
final class HotSession implements AutoCloseable {

    private final CheckedDataSource source;
    private final SessionSettings settings;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    HotSession(CheckedDataSource source, SessionSettings settings) {
        this.source = source;
        this.settings = settings;
    }

    /** Runs several statements as one transaction at READ COMMITTED. */
    <T> T transaction(SqlWork<T> work) {
        return taking(open -> source.isPooled(open) ? withSettings(open, work) : OneTransaction.on(open, work));
    }

    /** Runs one statement, which is a transaction at READ COMMITTED. */
    <T> T run(SqlWork<T> work) {
        return taking(open -> source.isPooled(open) ? withSettings(open, work) : work.on(open));
    }

    private <T> T withSettings(Connection open, SqlWork<T> work) throws SQLException {
        return OneTransaction.on(open, tx -> {
            execute(tx, settings.forTransaction());
            return work.on(tx);
        });
    }

    private <T> T taking(SqlWork<T> work) {
        turn.lock();
        try {
            return work.on(opened());
        } catch (SQLException e) {
            if (SqlErrors.mayPass(e)) {
                end();
            }
            throw SqlErrors.translated(e);
        } catch (RuntimeException | Error e) {
            end();
            throw e;
        } finally {
            if (closed) {
                end();
            }
            turn.unlock();
        }
    }

    private Connection opened() throws SQLException {
        refuseIfClosed();
        Connection open = connection;
        if (open == null) {
            open = source.getConnection();
            connection = open;
            // Who closes first says so and then looks for a connection to cut; here it is the other way round.
            refuseIfClosed();
            try {
                prepare(open);
            } catch (SQLException unusable) {
                end();
                throw unusable;
            }
        }
        return open;
    }

    private void prepare(Connection open) throws SQLException {
        open.setNetworkTimeout(
                Runnable::run, Math.toIntExact(settings.patience().toMillis()));
        open.setAutoCommit(true);
        if (!source.isPooled(open)) {
            execute(open, settings.forSession());
        }
    }

    private void refuseIfClosed() throws SQLException {
        if (closed) {
            throw new SQLException("the task store is closed", SqlErrors.CONNECTION_DOES_NOT_EXIST);
        }
    }

    private static void execute(Connection open, String sql) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute(sql);
        }
    }

    private void end() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            Discarded.connection(open);
        }
    }

    /** Waits for nobody: a statement under way is cut off, and its thread ends the connection. */
    @Override
    public void close() {
        closed = true;
        if (turn.tryLock()) {
            try {
                end();
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

    private static void abort(Connection open) {
        try {
            open.abort(Runnable::run);
        } catch (SQLException gone) {
            // Nothing is left to end.
        }
    }
}
