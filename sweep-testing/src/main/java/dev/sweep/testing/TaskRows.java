package dev.sweep.testing;

import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the public view {@code tasks} through a connection of the caller's, so that what it has not committed is seen. */
final class TaskRows {

    private static final String COLUMNS =
            "id, type, queue, priority, status, payload::text as payload, dedup_key, retry_count,"
                    + " max_retries, losses, error_msg, created_at, due_at, started_at, finished_at, result::text as result,"
                    + " requeued_from,"
                    + " (select array_agg(array[key, value]) from jsonb_each_text(headers)) as headers";

    private TaskRows() {}

    /** Oldest first. */
    static List<Task> read(Connection connection, String schema) {
        String view = '"' + schema.replace("\"", "\"\"") + "\".tasks";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select " + COLUMNS + " from " + view + " order by id")) {
            List<Task> tasks = new ArrayList<>();
            while (rows.next()) {
                tasks.add(taskOf(rows));
            }
            return tasks;
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "the tasks of schema " + schema + " can't be read through this connection: " + e.getMessage(), e);
        }
    }

    private static Task taskOf(ResultSet row) throws SQLException {
        return new Task(
                TaskId.of(row.getLong("id")),
                row.getString("type"),
                row.getString("queue"),
                row.getInt("priority"),
                TaskStatus.ofWord(row.getString("status")),
                row.getString("payload"),
                headersOf(row),
                Optional.ofNullable(row.getString("dedup_key")),
                row.getInt("retry_count"),
                row.getInt("max_retries"),
                row.getInt("losses"),
                Optional.ofNullable(row.getString("error_msg")),
                instant(row, "created_at").orElseThrow(),
                instant(row, "due_at").orElseThrow(),
                instant(row, "started_at"),
                instant(row, "finished_at"),
                Optional.ofNullable(row.getString("result")),
                Optional.ofNullable(row.getObject("requeued_from", Long.class)).map(TaskId::of));
    }

    private static Map<String, String> headersOf(ResultSet row) throws SQLException {
        Map<String, String> headers = new LinkedHashMap<>();
        @Nullable Array pairs = row.getArray("headers");
        if (pairs != null) {
            for (String[] pair : (String[][]) pairs.getArray()) {
                headers.put(pair[0], pair[1]);
            }
        }
        return headers;
    }

    private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
