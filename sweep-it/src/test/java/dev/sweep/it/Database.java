package dev.sweep.it;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.testing.PostgresServer;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A migrated schema of a test class's own: emptied before each test, judged by {@link Invariants} after it, dropped at the
 * end. In SQL given to it, {@code sweep.} stands for the schema.
 */
final class Database implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    private static final int POOL_SIZE = 60;
    /** Whoever asks for a connection learns soon that there is none, if a test wants it so. */
    private static final long BRIEF_MILLIS = 1_000;

    private final String hint;
    private final String options;
    private final boolean isOnItsOwnServer;
    private final List<Sweep> others = new ArrayList<>();
    OwnServer own;
    PostgresServer server;
    String schema;
    HikariDataSource source;
    JooqTaskStore store;
    Sweep sweep;
    Events events;

    private Database(String hint, String options, boolean isOnItsOwnServer) {
        this.hint = hint;
        this.options = options;
        this.isOnItsOwnServer = isOnItsOwnServer;
    }

    static Database named(String hint) {
        return new Database(hint, "", false);
    }

    /** On a server that the test may break, as a role that is no superuser. */
    static Database onItsOwnServer(String hint) {
        return new Database(hint, "", true);
    }

    /** @param options server settings of every session, such as {@code -c TimeZone=Asia/Kolkata} */
    static Database named(String hint, String options) {
        return new Database(hint, options, false);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        open();
    }

    void open() {
        if (isOnItsOwnServer) {
            own = OwnServer.start();
            server = own.server();
        } else {
            server = PostgresServer.shared();
        }
        schema = server.newSchemaName(hint);
        source = pool();
        try (Sweep migrating = Sweep.create(newStore(source))) {
            migrating.migrate();
        }
        // What handlers did; no unique key, so that what was done twice shows.
        execute("create table sweep.fx (task_id bigint, attempt int, worker text, transactional boolean)");
        Sabotage.applyTo(this);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        empty();
        store = newStore(source);
        sweep = Sweep.create(store);
        events = new Events();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        others.forEach(Sweep::close);
        others.clear();
        sweep.close();
        if (context.getExecutionException().isEmpty()) {
            Invariants.check(this);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        drop();
    }

    void drop() {
        source.close();
        if (isOnItsOwnServer) {
            own.close();
        } else {
            server.dropSchema(schema);
        }
    }

    void empty() {
        execute("truncate sweep.task, sweep.task_ready, sweep.task_running, sweep.task_lease, sweep.task_outcome,"
                + " sweep.task_failure, sweep.task_key, sweep.stat_delta, sweep.queue, sweep.dead_letter, sweep.fx");
    }

    /** What another process would have: a store with connections of its own, closed when the test ends. */
    Sweep anotherSweep() {
        return anotherSweep(source);
    }

    Sweep anotherSweep(DataSource on) {
        Sweep another = Sweep.create(newStore(on));
        others.add(another);
        return another;
    }

    /** A quick and quiet worker whose events are recorded. */
    WorkerBuilder worker(String name) {
        return worker(name, sweep);
    }

    WorkerBuilder worker(String name, Sweep on) {
        return Worker.builder(on)
                .name(name)
                .pollInterval(Duration.ofMillis(10), Duration.ofMillis(50))
                .logging(event -> {})
                .listener(events);
    }

    /** One that also takes back what vanished workers ran: with a lease that has passed since the server's start. */
    WorkerBuilder reclaimingWorker(String name) {
        return reclaiming(worker(name));
    }

    static WorkerBuilder reclaiming(WorkerBuilder builder) {
        return builder.leaseDuration(Duration.ofSeconds(2))
                .heartbeat(Duration.ofMillis(200))
                .reclaimInterval(Duration.ofMillis(50));
    }

    static Worker started(WorkerBuilder builder) {
        Worker worker = builder.build();
        worker.start();
        return worker;
    }

    /** Claims due tasks as a worker that vanishes at once: nobody beats, and the lease lapses within a millisecond. */
    Claim claimAndVanish(String type, int room) {
        return claim(type, room, Duration.ofMillis(1));
    }

    Claim claim(String type, int room, Duration lease) {
        return store.claim(new ClaimRequest("vanished", Set.of(type), Map.of("default", room), 1, lease, true));
    }

    /** The clock can't be moved, so what is stored moves the other way. What is under a second passes by itself. */
    void passTime(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) >= 0) {
            String shift = " - interval '" + duration.toSeconds() + " seconds'";
            for (String time : List.of(
                    "task.due_at",
                    "task_ready.due_at",
                    "task_running.due_at",
                    "task_lease.lease_until",
                    "task_key.until")) {
                String column = time.substring(time.indexOf('.') + 1);
                execute("update sweep." + time.substring(0, time.indexOf('.')) + " set " + column + " = " + column
                        + shift);
            }
        }
    }

    /** Throws if one of the {@link Promises} is broken. */
    void checkPromises() {
        Promises.ALWAYS.forEach((promise, sql) -> {
            List<Object> broken = query(sql);
            if (!broken.isEmpty()) {
                throw new AssertionError(promise + ": not so for " + broken);
            }
        });
    }

    TaskStatus status(TaskId id) {
        return task(id).status();
    }

    Task task(TaskId id) {
        return sweep.find(id).orElseThrow();
    }

    void awaitStatus(TaskId id, TaskStatus status) {
        Awaiting.until("task " + id + " has " + status, () -> status(id) == status);
    }

    void awaitCount(long count, String fromWhere) {
        Awaiting.until(count + " rows are in " + fromWhere, () -> count(fromWhere) == count);
    }

    /**
     * What the test itself asks. On a server that it breaks not through the pool, which may hand out a session that has just
     * been ended.
     */
    private Connection connection() throws SQLException {
        if (!isOnItsOwnServer) {
            return source.getConnection();
        }
        PGSimpleDataSource apart = (PGSimpleDataSource) server.dataSource();
        apart.setOptions("-c role=" + OwnServer.APP);
        return apart.getConnection();
    }

    void execute(String sql) {
        try (Connection connection = connection()) {
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
        try (Connection connection = connection()) {
            return query(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    List<Object> query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(inSchema(sql))) {
            List<Object> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getObject(1));
            }
            return values;
        }
    }

    long count(String fromWhere) {
        return (Long) query("select count(*) from " + fromWhere).get(0);
    }

    /** Calls {@code enqueue_task} with these arguments. */
    TaskId enqueueBySql(String arguments) {
        return TaskId.of(
                (Long) query("select sweep.enqueue_task(" + arguments + ")").get(0));
    }

    Connection transaction() throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Until this many sessions of this schema's pool wait for a lock. */
    void awaitWaiters(int number) {
        awaitCount(number, "pg_stat_activity where wait_event_type = 'Lock' and application_name = '" + schema + "'");
    }

    /** Until the future is done, or a session waits for a lock on its way. */
    void awaitAnswerOrWaiter(Future<?> future) {
        Awaiting.until(
                "an answer comes or waits for a lock",
                () -> future.isDone()
                        || count("pg_stat_activity where wait_event_type = 'Lock' and application_name = '" + schema
                                        + "'")
                                > 0);
    }

    String inSchema(String sql) {
        return sql.replace("sweep.", "\"" + schema + "\".");
    }

    String options() {
        return options;
    }

    /** One more, for the caller to close. */
    JooqTaskStore newStore() {
        return newStore(source);
    }

    private JooqTaskStore newStore(DataSource on) {
        return JooqTaskStore.builder(Sabotage.applied(on)).schema(schema).build();
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("it-" + hint);
        config.setJdbcUrl(server.jdbcUrl());
        config.setUsername(isOnItsOwnServer ? OwnServer.APP : server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(0);
        config.addDataSourceProperty("ApplicationName", schema);
        config.addDataSourceProperty("options", options);
        if (isOnItsOwnServer) {
            config.setConnectionTimeout(BRIEF_MILLIS);
        }
        return new HikariDataSource(config);
    }
}
