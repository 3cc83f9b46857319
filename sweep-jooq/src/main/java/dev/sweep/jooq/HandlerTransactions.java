package dev.sweep.jooq;

import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.TransactionLostException;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.TransactionalStore.TransactionWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Runs a handler and the completion of its task as one commit. The completion is the last statement, so an aborted
 * transaction fails there and not silently at the commit; a mark that lives as long as the transaction tells whether the
 * handler ended it behind our back.
 */
final class HandlerTransactions {

    private static final String ABORTED = "25P02";
    private static final int MAX_CAUSES = 20;
    /** How long a silent connection is waited for, except by the handler's own statements. */
    private static final int PATIENCE_MILLIS = 30_000;

    private final CheckedDataSource source;
    private final TransactionRoom room;
    private final TaskStatements statements;
    private final Outcomes outcomes;

    HandlerTransactions(CheckedDataSource source, TransactionRoom room, TaskStatements statements, Outcomes outcomes) {
        this.source = source;
        this.room = room;
        this.statements = statements;
        this.outcomes = outcomes;
    }

    boolean complete(ClaimedTask task, TransactionWork work) throws Exception {
        room.enter();
        try {
            return completeOn(connected(), task, work);
        } finally {
            room.leave();
        }
    }

    private boolean completeOn(Connection connection, ClaimedTask task, TransactionWork work) throws Exception {
        String mark = task.attempt().toString();
        int patience = patienceOf(connection);
        boolean hasBegun = false;
        try {
            begin(connection, mark);
            hasBegun = true;
            Duration runTime = guarded(connection, patience, work);
            boolean accepted = completed(connection, task, mark, runTime);
            if (!accepted) {
                connection.rollback();
                return false;
            }
            return committed(connection, task.attempt());
        } catch (Throwable e) {
            boolean isRolledBack = rolledBack(connection);
            if (hasBegun && !isRolledBack && saysThatStoreIsAway(e)) {
                throw new TransactionLostException(
                        "the connection of the transaction of task " + task.id() + " (type " + task.type()
                                + ") was lost; what it wrote is undone, and the task runs again",
                        e);
            }
            throw e;
        } finally {
            giveBack(connection, patience);
        }
    }

    private Connection connected() {
        try {
            Connection connection = source.getConnection();
            if (CheckedDataSource.mayOnlyRead(connection)) {
                CheckedDataSource.discard(connection);
                throw new SQLException("the database may only be read now", SqlErrors.READ_ONLY);
            }
            return connection;
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private static int patienceOf(Connection connection) {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLException e) {
            CheckedDataSource.discard(connection);
            throw SqlErrors.translated(e);
        }
    }

    /** Said to the transaction, not to the session, which behind a pooler is not ours. */
    private static void begin(Connection connection, String mark) {
        try {
            connection.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set transaction isolation level read committed;"
                        + " select set_config('sweep.attempt', '" + mark + "', true)");
            }
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private static Duration guarded(Connection connection, int patience, TransactionWork work) throws Exception {
        GuardedConnection.Guard guard = GuardedConnection.around(connection);
        waitAtMost(connection, patience);
        try {
            return work.run(guard.connection());
        } finally {
            guard.end().run();
            waitAtMost(connection, PATIENCE_MILLIS);
        }
    }

    private static void waitAtMost(Connection connection, int millis) {
        try {
            connection.setNetworkTimeout(Runnable::run, millis);
        } catch (SQLException gone) {
            // The next statement tells.
        }
    }

    private boolean completed(Connection connection, ClaimedTask task, String mark, Duration runTime) {
        try {
            if (!isMarked(connection, mark, task.attempt())) {
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

    private boolean isMarked(Connection connection, String mark, Attempt attempt) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.markIsThere())) {
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

    /** If not, the connection is gone, and the server rolls back what it no longer hears from. */
    private static boolean rolledBack(Connection connection) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException gone) {
            return false;
        }
    }

    /** Whether that is in it anywhere: handlers wrap what their statements throw. */
    private static boolean saysThatStoreIsAway(Throwable thrown) {
        int depth = 0;
        for (Throwable e = thrown; e != null && depth < MAX_CAUSES; e = e.getCause(), depth++) {
            if (e instanceof StoreUnavailableException || (e instanceof SQLException sql && SqlErrors.mayPass(sql))) {
                return true;
            }
        }
        return false;
    }

    /** Without what the handler may have set for the session, unless it is a pooler's. */
    private void giveBack(Connection connection, int patience) {
        try {
            connection.setAutoCommit(true);
            if (!source.isPooled(connection)) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("reset all");
                }
            }
            connection.setNetworkTimeout(Runnable::run, patience);
            connection.close();
        } catch (SQLException gone) {
            CheckedDataSource.discard(connection);
        }
    }
}
