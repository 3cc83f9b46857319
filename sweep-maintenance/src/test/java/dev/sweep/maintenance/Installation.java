package dev.sweep.maintenance;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A migrated schema of its own with a store on it, and SQL against it; the schema goes when this is closed. */
final class Installation implements AutoCloseable {

    private static final int POOL_SIZE = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> TABLES = List.of("task", "task_failure", "task_outcome");

    final PostgresServer server;
    final String schema;
    final HikariDataSource source;
    final JooqTaskStore store;
    final Sweep sweep;

    private Installation(PostgresServer server, String schema) {
        this.server = server;
        this.schema = schema;
        this.source = PooledDataSource.open(server.jdbcUrl(), server.user(), server.password(), POOL_SIZE);
        this.store = JooqTaskStore.builder(source).schema(schema).build();
        this.sweep = Sweep.create(store);
        store.migrate();
    }

    static Installation named(String hint) {
        return on(PostgresServer.shared(), hint);
    }

    static Installation on(PostgresServer server, String hint) {
        return new Installation(server, server.newSchemaName(hint));
    }

    static Installation withSchema(String schema) {
        return new Installation(PostgresServer.shared(), schema);
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
        String quoted = store.database().quotedSchema();
        return sql.replace("'sweep.", "'" + quoted.replace("'", "''") + ".").replace("sweep.", quoted + ".");
    }

    /**
     * Writes tasks that have ended, with one failure each, a key {@code <prefix><n>}, and their part of the totals.
     *
     * @param created how long ago, as SQL writes intervals; ids are in the order of the calls
     * @param finished how long ago
     */
    void ended(String prefix, int count, String created, String finished, String status) {
        execute("""
                with at as materialized (
                    select n, clock_timestamp() - interval '%2$s' as created, clock_timestamp() - interval '%3$s' as finished
                    from generate_series(1, %1$d) n
                ), made as materialized (
                    select n, sweep.id_at(created, nextval('sweep.task_seq')) as id, created, finished from at
                ), tasks as (
                    insert into sweep.task (id, created_at, due_at, type, dedup_key, payload)
                    select id, created, created, 'some.type', '%5$s' || n, '{}' from made
                ), outcomes as (
                    insert into sweep.task_outcome (id, created_at, started_at, finished_at, lease, retries, losses, status)
                    select id, sweep.id_time(id), finished - interval '3 seconds', finished, 1, 0, 0, '%4$s' from made
                ), failures as (
                    insert into sweep.task_failure (id, created_at, failed_at, lease, attempt, error_class, message)
                    select id, sweep.id_time(id), finished, 1, 1, 'Oops', 'once' from made
                ), keys as (
                    insert into sweep.task_key (key, id) select '%5$s' || n, id from made
                )
                insert into sweep.stat_delta (status, tasks, run_micros)
                select '%4$s', count(*), case '%4$s' when 'cancelled' then 0 else 3000000 * count(*) end from made
                """.formatted(count, created, finished, status, prefix));
    }

    /**
     * Ends the leaves without bounds at the first of these bounds, and creates one more up to each of the others, named
     * {@code task_<n>} from 1 on.
     *
     * @param bounds as DDL writes them
     */
    void cutAt(String... bounds) {
        for (String table : TABLES) {
            execute("alter table sweep." + table + " detach partition sweep." + table + "_all");
            execute("alter table sweep." + table + " attach partition sweep." + table
                    + "_all for values from (minvalue) to (" + bounds[0] + ")");
            for (int n = 1; n < bounds.length; n++) {
                execute("create table sweep." + table + "_" + n + " partition of sweep." + table + " for values from ("
                        + bounds[n - 1] + ") to (" + bounds[n] + ")");
            }
        }
    }

    /** Undoes {@link #cutAt}; the leaves that it created go with what is in them. */
    void uncut(int cuts) {
        for (String table : TABLES) {
            for (int n = 1; n < cuts; n++) {
                execute("drop table sweep." + table + "_" + n);
            }
            execute("alter table sweep." + table + " detach partition sweep." + table + "_all");
            execute("alter table sweep." + table + " attach partition sweep." + table
                    + "_all for values from (minvalue) to (maxvalue)");
        }
    }

    /** An instant so many days ago, as DDL writes it. */
    static String daysAgo(int days) {
        return "'" + Instant.now().minus(Duration.ofDays(days)) + "'";
    }

    /** A run of the chore with all the time it wants, from this position. */
    ChoreResult run(Chore chore, Optional<String> position) {
        return run(chore, position, () -> false);
    }

    ChoreResult run(Chore chore) {
        return run(chore, Optional.empty());
    }

    ChoreResult run(Chore chore, Optional<String> position, BooleanSupplier isTimeUp) {
        try {
            return chore.run(new Context(store, Instant.now(), position, isTimeUp));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    ChoreState state(String chore) {
        return MaintenanceService.builder(store).build().chores().stream()
                .filter(state -> state.name().equals(chore))
                .findFirst()
                .orElseThrow();
    }

    @Nullable
    String leader() {
        return (String) query("select max(holder) from sweep.maintenance_lease where lease_until > clock_timestamp()")
                .get(0);
    }

    /** Looks again until it holds. */
    static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + PATIENCE.toSeconds() + " s in vain until " + what);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Override
    public void close() {
        store.close();
        source.close();
        server.dropSchema(schema);
    }

    private record Context(JooqTaskStore store, Instant now, Optional<String> position, BooleanSupplier timeUp)
            implements ChoreContext {

        @Override
        public boolean isTimeUp() {
            return timeUp.getAsBoolean();
        }
    }
}
