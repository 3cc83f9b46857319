package dev.sweep.jmh;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * A migrated schema of a benchmark's own, dropped when it is closed, and a store on it whose calls are metered. In SQL given
 * to it, {@code sweep.} stands for the schema.
 */
final class Installation implements AutoCloseable {

    private static final int POOL_SIZE = 24;

    private final PostgresServer server;
    private final String schema;
    private final HikariDataSource pool;
    private final Connection look;
    private final Meter meter;
    private final JooqTaskStore store;

    private Installation(PostgresServer server, Layout layout) throws SQLException {
        this.server = server;
        this.schema = server.newSchemaName("bench");
        this.pool = poolOf(server);
        this.look = pool.getConnection();
        this.meter = new Meter(look);
        this.store = JooqTaskStore.builder(CountedSource.of(pool, meter))
                .schema(schema)
                .build();
        store.migrate();
        layout.applyTo(store);
    }

    static Installation open(Layout layout) {
        try {
            Installation opened = new Installation(BenchServer.open(), layout);
            Durability durability = Durability.of(opened);
            CostProfiler.watch(opened.meter, durability);
            System.out.println("# " + durability);
            return opened;
        } catch (SQLException e) {
            throw new IllegalStateException("the benchmark's server can't be used: " + e.getMessage(), e);
        }
    }

    private static HikariDataSource poolOf(PostgresServer server) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("bench");
        config.setJdbcUrl(server.jdbcUrl());
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** The one whose calls are metered. */
    JooqTaskStore store() {
        return store;
    }

    Meter meter() {
        return meter;
    }

    /** What another process would have: not metered, for the caller to close. */
    JooqTaskStore anotherStore() {
        return JooqTaskStore.builder(pool).schema(schema).build();
    }

    /** For {@link ParentsInstallation} in another process. */
    Map<String, String> coordinates() {
        return ParentsInstallation.coordinates(server.jdbcUrl(), server.user(), server.password(), schema);
    }

    void execute(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(inSchema(sql));
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** A setting as a new session has it. */
    String setting(String name) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + name)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException("the server does not tell " + name + ": " + e.getMessage(), e);
        }
    }

    private String inSchema(String sql) {
        return sql.replace("sweep.", "\"" + schema + "\".");
    }

    @Override
    public void close() throws SQLException {
        store.close();
        look.close();
        pool.close();
        server.dropSchema(schema);
        server.close();
    }
}
