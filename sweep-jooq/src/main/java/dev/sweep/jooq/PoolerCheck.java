package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Tells a connection to PostgreSQL from one to a pooler such as PgBouncer: who greeted the driver is not who runs its
 * statements.
 */
final class PoolerCheck {

    private PoolerCheck() {}

    /** True if there is a pooler in between; it may still keep sessions together. False also if it can't be known. */
    static boolean isBehindPooler(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        int greeter = connection.unwrap(PGConnection.class).getBackendPID();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1) != greeter;
        }
    }
}
