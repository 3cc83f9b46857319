package dev.sweep.cli.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Sweep by its public API, with its default settings. */
final class SweepContender implements Contender {

    /** What a store keeps, and some to work with. */
    static final int CONNECTIONS = 5;

    static final TaskType<Json> TYPE = TaskType.json("bench.nothing");

    @Override
    public String name() {
        return "sweep";
    }

    @Override
    public String setup() {
        return "a Worker with default settings and a handler that does nothing";
    }

    @Override
    public void create(Place place, Stock stock) throws SQLException {
        try (HikariDataSource pool = pool(place, CONNECTIONS);
                Sweep sweep = Sweep.create(store(place, pool))) {
            sweep.migrate();
        }
        SweepStock.fill(place, stock);
    }

    @Override
    public Census census(Place place) throws SQLException {
        String schema = '"' + place.schema() + '"';
        String counts = "select (select count(*) from $s.task_ready) + (select count(*) from $s.task_running),"
                + " (select count(*) from $s.task_outcome where status = 'succeeded')";
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(counts.replace("$s", schema))) {
            row.next();
            return new Census(row.getLong(1), row.getLong(2));
        }
    }

    @Override
    public Producer producer(Place place, int threads) throws SQLException {
        HikariDataSource pool = connected(place, threads + CONNECTIONS);
        Sweep sweep = Sweep.create(store(place, pool));
        return new Producer() {
            @Override
            public void enqueueAll(List<String> payloads, List<String> keys) {
                sweep.enqueueAll(tasks(payloads, keys));
            }

            @Override
            public void enqueue(String payload) {
                sweep.enqueue(TYPE.with(Json.of(payload)));
            }

            @Override
            public void close() {
                try (pool) {
                    sweep.close();
                }
            }
        };
    }

    private static List<NewTask<Json>> tasks(List<String> payloads, List<String> keys) {
        List<NewTask<Json>> tasks = new ArrayList<>(payloads.size());
        for (int i = 0; i < payloads.size(); i++) {
            NewTask<Json> task = TYPE.with(Json.of(payloads.get(i)));
            tasks.add(keys.isEmpty() ? task : task.dedupKey(keys.get(i)));
        }
        return tasks;
    }

    @Override
    public TaskLoop worker(Place place, int concurrency, Progress progress) throws SQLException {
        HikariDataSource pool = connected(place, SweepTaskLoop.CONNECTIONS);
        return new SweepTaskLoop(pool, Sweep.create(store(place, pool)), concurrency, progress);
    }

    @Override
    public BatchLoop batches(Place place, int batch) throws SQLException {
        HikariDataSource pool = connected(place, CONNECTIONS);
        return new SweepBatchLoop(pool, store(place, pool), batch);
    }

    private static JooqTaskStore store(Place place, HikariDataSource pool) {
        return JooqTaskStore.builder(pool).schema(place.schema()).build();
    }

    private static HikariDataSource pool(Place place, int connections) {
        return PooledDataSource.open(place.jdbcUrl(), place.user(), place.password(), connections);
    }

    private static HikariDataSource connected(Place place, int connections) throws SQLException {
        HikariDataSource pool = pool(place, connections);
        Pools.openAll(pool, connections);
        return pool;
    }
}
