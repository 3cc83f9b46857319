package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs several statements as one transaction and leaves the connection's autocommit as it was. */
final class OneTransaction {

    private OneTransaction() {}

    /** Commits after {@code work}; what it throws comes out after a rollback, whatever becomes of the connection. */
    static <T> T on(Connection connection, SqlWork<T> work) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        T result;
        try {
            result = work.on(connection);
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            undo(connection, autoCommit, e);
            throw e;
        }
        connection.setAutoCommit(autoCommit);
        return result;
    }

    private static void undo(Connection connection, boolean autoCommit, Throwable because) {
        try {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException gone) {
            because.addSuppressed(gone);
        }
    }
}
