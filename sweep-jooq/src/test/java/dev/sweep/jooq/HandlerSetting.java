package dev.sweep.jooq;

import dev.sweep.Json;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TransactionEnd;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A store with claimed tasks, and a table in which their handlers leave effects. */
abstract class HandlerSetting {

    static final Duration RUN_TIME = Duration.ofMillis(5);
    private static final TaskType<Json> TYPE = TaskType.json("t");
    static StoreUnderTest test;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("transaction");
        test.execute("create table sweep.effect (task_id bigint, once int unique)");
    }

    @AfterAll
    static void drop() {
        test.close();
    }

    @BeforeEach
    void empty() {
        test.execute("truncate sweep.task, sweep.task_ready, sweep.task_running, sweep.task_lease, sweep.task_outcome,"
                + " sweep.task_failure, sweep.stat_delta, sweep.effect");
    }

    static ClaimedTask claimed() {
        return claimed(Duration.ofMinutes(1));
    }

    static ClaimedTask claimed(Duration lease) {
        return claimed(1, lease).get(0);
    }

    static List<ClaimedTask> claimed(int count, Duration lease) {
        for (int i = 0; i < count; i++) {
            test.sweep.enqueue(TYPE.with(Json.of("{}")));
        }
        return test.store
                .claim(new ClaimRequest("w", Set.of("t"), Map.of("default", count), 0, lease, false))
                .tasks();
    }

    /** What a handler does, with success as its outcome. */
    @FunctionalInterface
    interface Handling {
        void on(Connection connection) throws Exception;
    }

    static TransactionEnd run(ClaimedTask task, Handling handling) throws Exception {
        return run(test.store, task, handling);
    }

    static TransactionEnd run(JooqTaskStore store, ClaimedTask task, Handling handling) throws Exception {
        return store.completeInTransaction(List.of(task), connection -> {
            handling.on(connection);
            return completions(task);
        });
    }

    static List<Completion> completions(ClaimedTask... tasks) {
        return Arrays.stream(tasks)
                .map(task -> new Completion(task.attempt(), RUN_TIME))
                .toList();
    }

    static Set<Attempt> attempts(ClaimedTask... tasks) {
        return Set.copyOf(Arrays.stream(tasks).map(ClaimedTask::attempt).toList());
    }

    static void effect(Connection connection, ClaimedTask task) throws SQLException {
        execute(connection, "insert into sweep.effect values (" + task.id() + ", 1)");
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(test.inSchema(sql));
        }
    }

    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(test.inSchema(sql))) {
            row.next();
            return row.getString(1);
        }
    }

    static TaskStatus status(ClaimedTask task) {
        return test.sweep.find(task.id()).orElseThrow().status();
    }

    static long effects() {
        return test.count("sweep.effect");
    }
}
