package dev.sweep.it;

import dev.sweep.Json;
import dev.sweep.TaskContext;
import dev.sweep.TaskType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Task types that test processes have handlers for, and the row in {@code fx} that each run leaves behind. */
final class Errands {

    /** Leaves an effect. */
    static final TaskType<Json> QUICK = TaskType.json("quick");
    /** Leaves an effect in the transaction that completes it. */
    static final TaskType<Json> QUICK_TX = TaskType.json("quick.tx");
    /** Waits for the word of its test, then leaves an effect. */
    static final TaskType<Json> HOLD = TaskType.json("hold");
    /** Leaves an effect in its transaction, then waits for the word of its test. */
    static final TaskType<Json> HOLD_TX = TaskType.json("hold.tx");
    /** Waits for the word of its test, then throws. */
    static final TaskType<Json> HOLD_THROW = TaskType.json("hold.throw");
    /** Takes its whole process down. */
    static final TaskType<Json> HALT = TaskType.json("halt");
    /** Enqueues 60 children in its transaction, waits for the word of its test, enqueues 40 more. */
    static final TaskType<Json> FAN_OUT = TaskType.json("fan-out");

    static final Json NOTHING = Json.of("{}");

    private Errands() {}

    /** On a connection of its own: an effect that is there whatever becomes of the task. */
    static void leaveEffect(DataSource source, String schema, TaskContext context, String worker) throws SQLException {
        try (Connection connection = source.getConnection()) {
            leaveEffect(connection, schema, context, worker, false);
        }
    }

    static void leaveEffectInTransaction(Connection connection, String schema, TaskContext context, String worker)
            throws SQLException {
        leaveEffect(connection, schema, context, worker, true);
    }

    private static void leaveEffect(
            Connection connection, String schema, TaskContext context, String worker, boolean isTransactional)
            throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into \"" + schema + "\".fx values (?, ?, ?, ?)")) {
            insert.setLong(1, context.id().value());
            insert.setInt(2, context.attempt());
            insert.setString(3, worker);
            insert.setBoolean(4, isTransactional);
            insert.executeUpdate();
        }
    }
}
