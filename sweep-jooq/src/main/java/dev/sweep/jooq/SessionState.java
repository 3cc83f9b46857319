package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what a session was set to before a handler ran in it and after. Thread-safe. */
final class SessionState {

    private final TaskStatements statements;
    private volatile @Nullable String expression;

    SessionState(TaskStatements statements) {
        this.statements = statements;
    }

    /** The SQL expression that sums a session up; on first use asks the server for the names of its settings. */
    String expression(Connection connection) throws SQLException {
        String known = expression;
        if (known == null) {
            known = TaskStatements.sessionState(names(connection));
            expression = known;
        }
        return known;
    }

    /** Names of settings are words, so that they need no escape in an array. */
    private String names(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(statements.sessionSettings());
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return "'{" + String.join(",", names) + "}'::text[]";
    }

    /** Whether a session is again as it was. Releases its advisory locks; with autocommit, outside a transaction. */
    boolean isAgain(Connection connection, long before) throws SQLException {
        String sql = "select pg_advisory_unlock_all(), " + expression(connection);
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getLong(2) == before;
        }
    }
}
