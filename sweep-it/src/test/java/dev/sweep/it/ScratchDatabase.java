package dev.sweep.it;

import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that nobody else has, for tests that use the default schema. Dropped when it is closed. */
final class ScratchDatabase implements AutoCloseable {

    private final PostgresServer server;
    private final String name;

    private ScratchDatabase(PostgresServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** Needs a login that may create databases. */
    static ScratchDatabase create(PostgresServer server, String hint) throws SQLException {
        ScratchDatabase database = new ScratchDatabase(server, server.newSchemaName(hint));
        database.onServer("create database " + database.name);
        return database;
    }

    /** Opens a new connection each time; no pool. */
    DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.jdbcUrl());
        source.setDatabaseName(name);
        source.setUser(server.user());
        source.setPassword(server.password());
        return source;
    }

    @Override
    public void close() throws SQLException {
        onServer("drop database " + name + " with (force)");
    }

    private void onServer(String sql) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
