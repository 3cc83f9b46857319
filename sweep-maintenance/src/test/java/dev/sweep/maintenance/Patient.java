package dev.sweep.maintenance;

import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** An installation for the doctor, in a schema with a name that needs quotes; {@code sweep.} stands for it in SQL. */
final class Patient implements AutoCloseable {

    final PostgresServer server;
    final String schema;
    final JooqTaskStore store;

    Patient(PostgresServer server) {
        this.server = server;
        this.schema = "Doc-" + server.newSchemaName("tor");
        this.store = JooqTaskStore.builder(server.dataSource()).schema(schema).build();
        Sweep.create(store).migrate();
    }

    Diagnosis examine() {
        return Doctor.of(store).examine();
    }

    List<Finding> findings(String check) {
        return examine().findings().stream()
                .filter(finding -> finding.check().equals(check))
                .toList();
    }

    void empty() {
        execute("truncate sweep.task, sweep.task_ready, sweep.task_running, sweep.task_lease, sweep.task_outcome,"
                + " sweep.queue, sweep.worker, sweep.maintenance_chore, sweep.partition_plan, sweep.partition_retired");
    }

    /** One statement in autocommit. */
    void execute(String sql) {
        try (Connection connection = server.dataSource().getConnection()) {
            execute(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(inSchema(sql));
        }
    }

    /** The first column of all rows. */
    List<Object> query(String sql) {
        try (Connection connection = server.dataSource().getConnection();
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

    String inSchema(String sql) {
        return sql.replace("sweep.", '"' + schema + "\".");
    }

    @Override
    public void close() {
        store.close();
        server.dropSchema(schema);
    }
}
