package dev.sweep.jooq;

import dev.sweep.StoreException;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.TransactionalStore.TransactionWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Runs a handler and the completion of its task as one commit. The completion is the last statement, so an aborted
 * transaction fails there and not silently at the commit; a mark that lives as long as the transaction tells whether the
 * handler ended it behind our back.
 */
final class HandlerTransactions {

    private static final String SET_MARK = "select set_config('sweep.attempt', ?, true)";
    private static final String ABORTED = "25P02";

    private final DataSource source;
    private final TaskStatements statements;
    private final Outcomes outcomes;

    HandlerTransactions(DataSource source, TaskStatements statements, Outcomes outcomes) {
        this.source = source;
        this.statements = statements;
        this.outcomes = outcomes;
    }

    boolean complete(ClaimedTask task, TransactionWork work) throws Exception {
        Connection connection = opened();
        try {
            String mark = task.attempt().toString();
            mark(connection, mark);
            Duration runTime = guarded(connection, work);
            boolean accepted = completed(connection, task, mark, runTime);
            if (!accepted) {
                connection.rollback();
                return false;
            }
            return committed(connection, task.attempt());
        } catch (Throwable e) {
            rollbackQuietly(connection);
            throw e;
        } finally {
            giveBack(connection);
        }
    }

    private Connection opened() {
        try {
            Connection connection = source.getConnection();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private static void mark(Connection connection, String mark) {
        try (PreparedStatement statement = connection.prepareStatement(SET_MARK)) {
            statement.setString(1, mark);
            statement.execute();
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private static Duration guarded(Connection connection, TransactionWork work) throws Exception {
        GuardedConnection.Guard guard = GuardedConnection.around(connection);
        try {
            return work.run(guard.connection());
        } finally {
            guard.end().run();
        }
    }

    private boolean completed(Connection connection, ClaimedTask task, String mark, Duration runTime) {
        try {
            if (!isStillMarked(connection, mark, task.attempt())) {
                throw new StoreException("the handler of task " + task.id() + " (type " + task.type()
                        + ") ended its transaction with a textual COMMIT or ROLLBACK; what it had written is not tied to"
                        + " the task's completion; leave the transaction to Sweep");
            }
            return outcomes.complete(connection, task.attempt(), runTime);
        } catch (SQLException e) {
            if (ABORTED.equals(e.getSQLState())) {
                throw new StoreException("the transaction of task " + task.id() + " (type " + task.type()
                        + ") was aborted by an earlier error that its handler swallowed; nothing was written; let the"
                        + " error out, or use a savepoint around what may fail");
            }
            throw SqlErrors.translated(e);
        }
    }

    private boolean isStillMarked(Connection connection, String mark, Attempt attempt) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.beginEnd())) {
            statement.setString(1, mark);
            statement.setLong(2, attempt.lease());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Decided by looking if the answer is lost: the outcome names its lease. */
    private boolean committed(Connection connection, Attempt attempt) {
        try {
            connection.commit();
            return true;
        } catch (SQLException unknown) {
            if (endedBy(attempt)) {
                return true;
            }
            throw SqlErrors.translated(unknown);
        }
    }

    private boolean endedBy(Attempt attempt) {
        try (Connection another = source.getConnection();
                PreparedStatement statement = another.prepareStatement(statements.endedBy())) {
            statement.setLong(1, attempt.id().value());
            statement.setLong(2, attempt.id().value());
            statement.setLong(3, attempt.lease());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private static void rollbackQuietly(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException gone) {
            // The server rolls back what it no longer hears from.
        }
    }

    /** Without what the handler may have set for the session. */
    private static void giveBack(Connection connection) {
        try (connection) {
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute("reset all");
            }
        } catch (SQLException gone) {
            // Its source replaces it.
        }
    }
}
