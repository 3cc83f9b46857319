package dev.sweep.partitioning;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.testing.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A migrated store in a schema of its own, with a name that needs quotes; {@code sweep.} stands for it in SQL. */
final class Installation implements AutoCloseable {

    private static final int POOL_SIZE = 40;

    final PostgresServer server;
    final String schema;
    final HikariDataSource source;
    final JooqTaskStore store;
    final Sweep sweep;

    private Installation(PostgresServer server) {
        this.server = server;
        this.schema = "Part-" + server.newSchemaName("itioned");
        this.source = newPool();
        this.store = JooqTaskStore.builder(source).schema(schema).build();
        this.sweep = Sweep.create(store);
        store.migrate();
    }

    static Installation fresh() {
        return on(PostgresServer.shared());
    }

    static Installation on(PostgresServer server) {
        return new Installation(server);
    }

    /** The oldest PostgreSQL that Sweep promises to run on; for a test class to stop. */
    static PostgresServer oldestServer() {
        return PostgresServer.embedded()
                .binaries(Path.of(System.getProperty("sweep.test.postgres.oldest")))
                .start();
    }

    /** Another one on the same server. */
    Installation beside() {
        return on(server);
    }

    /** For the caller to close. */
    HikariDataSource newPool() {
        return PooledDataSource.open(server.jdbcUrl(), server.user(), server.password(), POOL_SIZE);
    }

    PartitionManager partitions() {
        return PartitionManager.of(store);
    }

    /** On one connection, each in autocommit. */
    void execute(String... statements) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(inSchema(sql));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements) + ": " + e.getMessage(), e);
        }
    }

    /** The first column of all rows. */
    List<Object> query(String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(inSchema(sql))) {
            List<Object> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getObject(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    long count(String fromWhere) {
        return (Long) query("select count(*) from " + fromWhere).get(0);
    }

    String inSchema(String sql) {
        return sql.replace("sweep.", '"' + schema + "\".");
    }

    /** The attached partitions of a table, by name. */
    List<Object> leaves(String table) {
        return query(
                "select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = '"
                        + inSchema("sweep." + table) + "'::regclass order by 1");
    }

    @Override
    public void close() {
        sweep.close();
        source.close();
        server.dropSchema(schema);
    }
}
