package dev.sweep.partitioning;

import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A migrated store in a schema of its own, with a name that needs quotes; {@code sweep.} stands for it in SQL. */
final class Installation implements AutoCloseable {

    final PostgresServer server;
    final String schema;
    final DataSource source;
    final JooqTaskStore store;
    final Sweep sweep;
    private final boolean isOwnServer;

    private Installation(PostgresServer server, boolean isOwnServer) {
        this.server = server;
        this.isOwnServer = isOwnServer;
        this.schema = "Part-" + server.newSchemaName("itioned");
        this.source = server.dataSource();
        this.store = JooqTaskStore.builder(source).schema(schema).build();
        this.sweep = Sweep.create(store);
        store.migrate();
    }

    static Installation fresh() {
        return new Installation(PostgresServer.shared(), false);
    }

    static Installation onOldest() {
        return new Installation(
                PostgresServer.embedded()
                        .binaries(Path.of(System.getProperty("sweep.test.postgres.oldest")))
                        .start(),
                true);
    }

    /** Another one on the same server. */
    Installation beside() {
        return new Installation(server, false);
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
        if (isOwnServer) {
            server.close();
        } else {
            server.dropSchema(schema);
        }
    }
}
