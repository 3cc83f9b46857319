package dev.sweep.jooq;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A migrated store in a schema of its own, and SQL against it; the schema goes when this is closed. */
final class StoreUnderTest implements AutoCloseable {

    final PostgresServer server;
    final String schema;
    final HikariDataSource source;
    final JooqTaskStore store;
    final Sweep sweep;

    private StoreUnderTest(PostgresServer server, String schema) {
        this.server = server;
        this.schema = schema;
        this.source = PooledDataSource.open(server.jdbcUrl(), server.user(), server.password(), 40);
        this.store = JooqTaskStore.builder(source).schema(schema).build();
        this.sweep = Sweep.create(store);
    }

    static StoreUnderTest migrated(String hint) {
        return migrated(PostgresServer.shared(), hint);
    }

    static StoreUnderTest migrated(PostgresServer server, String hint) {
        StoreUnderTest test = unmigrated(server, server.newSchemaName(hint));
        test.store.migrate();
        return test;
    }

    static StoreUnderTest unmigrated(PostgresServer server, String schema) {
        return new StoreUnderTest(server, schema);
    }

    String quotedSchema() {
        return new SchemaName(schema).quoted();
    }

    /** Runs one statement; {@code sweep.} stands for the schema. */
    void execute(String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(inSchema(sql));
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** The first column of all rows; {@code sweep.} stands for the schema. */
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
        return sql.replace("sweep.", quotedSchema() + ".");
    }

    @Override
    public void close() {
        store.close();
        source.close();
        server.dropSchema(schema);
    }
}
