package dev.sweep.partitioning;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An installation that has had weeks for long: five from some instant on, and those that the present needs. */
final class OldWeeks implements AutoCloseable {

    static final Duration LONG_AGO = Duration.ofDays(42);

    final Installation database;
    private final AtomicInteger tasks = new AtomicInteger();

    OldWeeks(Installation database, Instant since) {
        this.database = database;
        PartitionManager.builder(database.store).clock(sql -> since).build().enable(CalendarPeriod.WEEK);
        database.partitions().createAhead();
    }

    /** Makes a week of the past that is not there, and attaches it. */
    void attachAnew(String range, String from, String to) {
        for (PartitionTable table : PartitionTable.ALL) {
            String leaf = "sweep." + table.leaf(range);
            database.execute("drop table if exists " + leaf);
            database.execute("create table " + leaf + " (like sweep." + table.parent() + " including all, primary key ("
                    + table.key() + "))");
            database.execute("alter table sweep." + table.parent() + " attach partition " + leaf + " for values from ('"
                    + from + "') to ('" + to + "')");
        }
    }

    /** Finished as long ago as it was created, and counted, with this dedup key. */
    long succeeded(Instant created, @Nullable String key) {
        long id = task(created, key);
        outcome(id, "succeeded", created.plusSeconds(2));
        return id;
    }

    /** A task in no place. */
    long task(Instant created, @Nullable String key) {
        long id = id(created);
        run(
                "insert into sweep.task (id, created_at, due_at, type, dedup_key, payload) values (?, ?::timestamptz,"
                        + " ?::timestamptz, 't', ?, '{\"a\": \"\\u00e4,\\\"\"}')",
                id,
                created,
                created,
                key);
        if (key != null) {
            run("insert into sweep.task_key (key, id) values (?, ?) on conflict do nothing", key, id);
        }
        return id;
    }

    /** A run of one second. */
    void outcome(long id, String status, Instant finished) {
        run(
                "insert into sweep.task_outcome (id, created_at, started_at, finished_at, retries, losses, status)"
                        + " values (?, sweep.id_time(?), ?::timestamptz, ?::timestamptz, 0, 0, ?)",
                id,
                id,
                finished.minusSeconds(1),
                finished,
                status);
        run(
                "insert into sweep.stat_delta (status, tasks, run_micros) values (?, 1, ?)",
                status,
                status.equals("cancelled") ? 0L : 1_000_000L);
    }

    void failure(long id, Instant failed) {
        run(
                "insert into sweep.task_failure (id, created_at, failed_at, lease, attempt, error_class, message)"
                        + " values (?, sweep.id_time(?), ?::timestamptz, 1, 1, 'E', 'line 1\nline \"2\", \\.')",
                id,
                id,
                failed);
    }

    void waiting(long id, Instant due, boolean isMoved) {
        run(
                "insert into sweep.task_ready (due_at, id, rank, moved, queue, type) values (?::timestamptz, ?, 9, ?, 'default', 't')",
                due,
                id,
                isMoved);
    }

    private long id(Instant created) {
        return IdBounds.of(new PartitionRange("x", created, created.plusSeconds(1)))
                        .from()
                + tasks.incrementAndGet();
    }

    void run(String sql, @Nullable Object... values) {
        try (Connection connection = database.source.getConnection();
                PreparedStatement statement = connection.prepareStatement(database.inSchema(sql))) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i] instanceof Instant instant ? instant.toString() : values[i]);
            }
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** The tables of a range, attached or not. */
    long tablesOf(String range) {
        return database.count("pg_class where relkind = 'r' and relname like 'task%\\_" + range
                + "' and relnamespace = '\"" + database.schema + "\"'::regnamespace");
    }

    /** What the statistics say. */
    long counted(String status) {
        return (Long) database.query("select count from sweep.task_stats where status = '" + status + "'")
                .get(0);
    }

    PartitionRetentionBuilder retention() {
        return PartitionRetention.builder(database.store)
                .finishedFor(Duration.ofDays(7))
                .thenDrop();
    }

    @Override
    public void close() {
        database.close();
    }
}
