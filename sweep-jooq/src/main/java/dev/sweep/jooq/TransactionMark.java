package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How a transaction is known again after a handler has run in it, and what the session was like when it began.
 *
 * @param startedAt microseconds of the transaction's start: no COMMIT or ROLLBACK in a statement's text can keep it
 * @param authorization who the session runs as
 * @param role the role set in it
 * @param statementTimeout as its setting says
 * @param lockTimeout as its setting says
 * @param sessionState sums up all that would outlive the transaction
 */
record TransactionMark(
        long startedAt,
        String authorization,
        String role,
        String statementTimeout,
        String lockTimeout,
        long sessionState) {

    /** Begins a transaction at READ COMMITTED on a connection without autocommit. */
    static TransactionMark begun(Connection connection, String sessionState) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TaskStatements.beginHandler(sessionState))) {
            statement.execute();
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return new TransactionMark(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getLong(6));
            }
        }
    }
}
