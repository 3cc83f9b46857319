package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where a contender works: a database, and a schema in it that is its alone.
 *
 * @param user null: what the URL or the driver says
 * @param password null: none was given
 */
public record Place(
        String jdbcUrl, @Nullable String user, @Nullable String password, String schema) {

    /** A connection of the caller's, with autocommit on. */
    public Connection connect() throws SQLException {
        Properties login = new Properties();
        login.setProperty("ApplicationName", "sweep-bench");
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        return DriverManager.getConnection(jdbcUrl, login);
    }

    /** Runs statements, each in a transaction of its own, in a connection of their own. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    Place in(String otherSchema) {
        return new Place(jdbcUrl, user, password, otherSchema);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "schema " + schema;
    }
}
