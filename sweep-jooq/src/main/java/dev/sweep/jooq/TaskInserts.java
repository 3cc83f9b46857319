package dev.sweep.jooq;

import dev.sweep.DedupKey;
import dev.sweep.DedupScope;
import dev.sweep.Enqueued;
import dev.sweep.OnDuplicate;
import dev.sweep.TaskId;
import dev.sweep.spi.TaskRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Inserts one set of new tasks by one call: of its own function if it is a single one, which costs half as much. */
final class TaskInserts {

    private final TaskStatements statements;

    TaskInserts(TaskStatements statements) {
        this.statements = statements;
    }

    /** Answers in the order of the set. */
    List<Enqueued> insert(Connection connection, List<TaskRecord> set) throws SQLException {
        return set.size() == 1 ? List.of(insertOne(connection, set.get(0))) : insertMany(connection, set);
    }

    private Enqueued insertOne(Connection connection, TaskRecord task) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.enqueueOne())) {
            bind(statement, task);
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                return new Enqueued(TaskId.of(answer.getLong(1)), answer.getBoolean(2));
            }
        }
    }

    private static void bind(PreparedStatement statement, TaskRecord task) throws SQLException {
        statement.setString(1, task.type());
        statement.setString(2, task.payload());
        statement.setString(3, task.queue());
        statement.setInt(4, task.priority());
        statement.setInt(5, task.maxRetries());
        statement.setInt(6, task.maxLosses());
        statement.setString(7, SqlArrays.text(task.dueAt()));
        statement.setObject(8, delayOf(task), Types.BIGINT);
        statement.setString(9, headersOf(task));
        statement.setString(10, keyOf(task));
        statement.setBoolean(11, isUntilFinished(task));
        statement.setObject(12, windowOf(task), Types.BIGINT);
        statement.setBoolean(13, failsOnDuplicate(task));
    }

    private List<Enqueued> insertMany(Connection connection, List<TaskRecord> set) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.enqueue())) {
            bind(SqlArrays.into(statement), set);
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                List<Long> ids = SqlArrays.longs(answer, 1);
                List<Boolean> isNew = SqlArrays.booleans(answer, 2);
                List<Enqueued> answers = new ArrayList<>(ids.size());
                for (int i = 0; i < ids.size(); i++) {
                    answers.add(new Enqueued(TaskId.of(ids.get(i)), isNew.get(i)));
                }
                return answers;
            }
        }
    }

    private static void bind(SqlArrays arrays, List<TaskRecord> set) throws SQLException {
        arrays.texts(set, TaskRecord::type)
                .texts(set, TaskRecord::payload)
                .texts(set, TaskRecord::queue)
                .shorts(set, TaskRecord::priority)
                .ints(set, TaskRecord::maxRetries)
                .shorts(set, TaskRecord::maxLosses)
                .instants(set, TaskRecord::dueAt)
                .longs(set, TaskInserts::delayOf)
                .texts(set, TaskInserts::headersOf);
        if (set.stream().anyMatch(task -> task.dedupKey() != null)) {
            arrays.texts(set, TaskInserts::keyOf)
                    .booleans(set, TaskInserts::isUntilFinished)
                    .longs(set, TaskInserts::windowOf)
                    .booleans(set, TaskInserts::failsOnDuplicate);
        } else {
            arrays.none().none().none().none();
        }
    }

    static boolean failsOnDuplicate(TaskRecord task) {
        return task.dedupKey() != null && task.onDuplicate() == OnDuplicate.FAIL;
    }

    static @Nullable String keyOf(TaskRecord task) {
        DedupKey key = task.dedupKey();
        return key == null ? null : key.value();
    }

    private static boolean isUntilFinished(TaskRecord task) {
        return scopeOf(task) instanceof DedupScope.UntilFinished;
    }

    private static @Nullable Long windowOf(TaskRecord task) {
        return scopeOf(task) instanceof DedupScope.Window window ? SqlArrays.micros(window.length()) : null;
    }

    private static @Nullable DedupScope scopeOf(TaskRecord task) {
        DedupKey key = task.dedupKey();
        return key == null ? null : key.scope();
    }

    private static @Nullable Long delayOf(TaskRecord task) {
        return task.delay().isZero() ? null : SqlArrays.micros(task.delay());
    }

    private static @Nullable String headersOf(TaskRecord task) {
        Map<String, String> headers = task.headers();
        return headers.isEmpty() ? null : HeadersJson.written(headers);
    }
}
