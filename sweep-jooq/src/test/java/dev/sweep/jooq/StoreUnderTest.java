package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static final int SPARE = 4;

    final PostgresServer server;
    final String schema;
    final HikariDataSource source;
    final JooqTaskStore store;
    final Sweep sweep;

    private StoreUnderTest(PostgresServer server, String schema) {
        this.server = server;
        this.schema = schema;
        this.source = PooledDataSource.open(server.jdbcUrl(), server.user(), server.password(), 40);
        // With none idle, HikariCP opens one connection for two threads that ask at the same instant, now and then; the
        // other waits
        // for one to come back, and what a store keeps for itself does not.
        source.setMinimumIdle(SPARE);
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

    void empty() {
        execute("truncate sweep.task, sweep.task_outcome, sweep.task_failure, sweep.task_ready, sweep.task_running,"
                + " sweep.task_lease, sweep.task_key, sweep.queue, sweep.stat_delta, sweep.dead_letter");
    }

    /** Throws unless every task is in exactly one place, and keys, totals and outcomes agree with it. */
    void checkInvariants() {
        assertThat(query("""
                        select t.id from sweep.task t
                        where (select count(*) from sweep.task_ready r where r.id = t.id)
                            + (select count(*) from sweep.task_running r where r.id = t.id)
                            + (select count(*) from sweep.task_outcome o where o.id = t.id) <> 1
                        """)).as("tasks that are not in exactly one place").isEmpty();
        assertThat(query("""
                        select d.id from sweep.dead_letter d
                        where exists (select from sweep.task t where t.id = d.id)
                           or exists (select from sweep.task_ready r where r.id = d.id)
                           or exists (select from sweep.task_running r where r.id = d.id)
                           or exists (select from sweep.task_outcome o where o.id = d.id)
                           or exists (select from sweep.task_failure f where f.id = d.id)
                        """)).as("dead letters that are elsewhere too").isEmpty();
        assertThat(query("""
                        select k.key from sweep.task_key k
                        where not exists (select from sweep.task t where t.id = k.id and t.dedup_key = k.key)
                          and not exists (select from sweep.dead_letter d where d.id = k.id and d.dedup_key = k.key)
                        """)).as("keys without their task").isEmpty();
        assertThat(query("""
                        select s.status
                        from (values ('succeeded'), ('failed'), ('cancelled')) s(status)
                        where (select count(*) from sweep.task_outcome o where o.status = s.status)
                            + (select count(*) from sweep.dead_letter where s.status = 'failed')
                           <> (select coalesce(sum(d.tasks), 0) from sweep.stat_delta d where d.status = s.status)
                        """))
                .as("statuses whose totals differ from their rows")
                .isEmpty();
        assertThat(query("""
                        select o.id from sweep.task_outcome o join sweep.task t on t.id = o.id
                        where o.retries > t.max_retries or o.created_at <> sweep.id_time(o.id)
                        """)).as("outcomes that can't be").isEmpty();
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
