package dev.sweep.testing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Where a server listens and who may come in. */
record ServerAddress(String url, String user, String password) {

    /** The address that a JDBC URL names; where it names no user, the one that the server takes the caller for. */
    static ServerAddress ofUrl(String url) {
        PGSimpleDataSource parsed = new PGSimpleDataSource();
        try {
            parsed.setUrl(url);
        } catch (IllegalArgumentException notPostgres) {
            throw new IllegalStateException(
                    "SWEEP_TEST_URL is no JDBC URL of PostgreSQL; write jdbc:postgresql://host:port/database?user=...",
                    notPostgres);
        }
        @Nullable String password = parsed.getPassword();
        return new ServerAddress(url, userOf(parsed), Objects.requireNonNullElse(password, ""));
    }

    /** The URL without its parameters, one of which may be a password. */
    String place() {
        int parameters = url.indexOf('?');
        return parameters < 0 ? url : url.substring(0, parameters);
    }

    PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    private static String userOf(PGSimpleDataSource source) {
        @Nullable String user = source.getUser();
        if (user != null) {
            return user;
        }
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_user")) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException("can't connect to the server that SWEEP_TEST_URL names", e);
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "ServerAddress[place=" + place() + ", user=" + user + "]";
    }
}
