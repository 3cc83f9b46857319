package dev.sweep.testing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** The schema of a test class on a PostgreSQL. What it can't do is thrown as an {@link IllegalStateException}. */
final class TestSchema {

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final DataSource source;
    private final String name;
    private final Duration patience;
    private final Set<String> kept = new HashSet<>();

    /** @param patience how long a change waits for transactions of others */
    TestSchema(DataSource source, String name, Duration patience) {
        this.source = source;
        this.name = name;
        this.patience = patience;
    }

    DataSource source() {
        return source;
    }

    String name() {
        return name;
    }

    /** Spares the tables that have rows now, such as those of the migration, whenever the schema is emptied. */
    void keepWhatIsThere() {
        for (String table : tables()) {
            if (!rows("select 1 from " + table + " limit 1").isEmpty()) {
                kept.add(table);
            }
        }
    }

    /** Truncates every other table; waits for whoever uses them. */
    void empty() {
        List<String> tables = new ArrayList<>(tables());
        tables.removeAll(kept);
        if (!tables.isEmpty()) {
            commit(List.of("truncate " + String.join(", ", tables)));
        }
    }

    /**
     * Moves all that lies ahead nearer, as if time had passed: due times, the ends of leases and of dedup windows. What has
     * been, such as the time of an enqueue, keeps its time.
     */
    void bringNearer(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("can't advance by " + duration + "; use zero or more");
        }
        String by = " - interval '" + duration.toNanos() / 1_000 + " microseconds'";
        // Entries that are no longer at their task's own due time are found by the index on moved ones.
        commit(List.of(
                "update " + inSchema("task_ready") + " set due_at = due_at" + by + ", moved = true",
                "update " + inSchema("task_running") + " set due_at = due_at" + by + ", moved = true",
                "update " + inSchema("task_lease") + " set lease_until = lease_until" + by,
                "update " + inSchema("task_key") + " set until = until" + by + " where until is not null"));
    }

    void drop() {
        commit(List.of("drop schema if exists " + quoted(name) + " cascade"));
    }

    private List<String> tables() {
        return rows("select tablename from pg_tables where schemaname = '" + name.replace("'", "''") + "'").stream()
                .map(this::inSchema)
                .toList();
    }

    private String inSchema(String table) {
        return quoted(name) + "." + quoted(table);
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private void commit(List<String> changes) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // A transaction that a test left open would else hold up all tests after it.
            statement.execute("set local lock_timeout = " + patience.toMillis());
            for (String change : changes) {
                statement.execute(change);
            }
            connection.commit();
        } catch (SQLException e) {
            String remedy = LOCK_NOT_AVAILABLE.equals(e.getSQLState())
                    ? "; does a test or a worker of it leave a transaction open?"
                    : "";
            throw new IllegalStateException("schema " + name + ": " + e.getMessage() + remedy, e);
        }
    }

    private List<String> rows(String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            List<String> values = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    values.add(rows.getString(1));
                }
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException("schema " + name + ": " + e.getMessage(), e);
        }
    }
}
