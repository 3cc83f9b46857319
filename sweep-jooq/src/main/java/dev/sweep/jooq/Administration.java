package dev.sweep.jooq;

import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TransactionConflictException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes that people ask for: each a short transaction at READ COMMITTED, whatever the default, in which every wait for a
 * lock is bounded. The log tells who did what.
 */
final class Administration {

    private static final Logger LOG = LoggerFactory.getLogger(Administration.class);
    private static final int MAX_TRIES = 10;
    /** Waits in vain for locks that one call bears; what is left by then is busy. */
    private static final int PATIENCE = 20;

    private final DataSource source;
    private final TaskStatements statements;

    Administration(DataSource source, TaskStatements statements) {
        this.source = source;
        this.statements = statements;
    }

    /** Of one task; waits for whoever holds it, but not for long. */
    Optional<TaskStatus> cancel(TaskId id) {
        try {
            return inTransaction(statements.briefly(), connection -> {
                try (PreparedStatement statement = connection.prepareStatement(statements.cancel())) {
                    statement.setLong(1, id.value());
                    try (ResultSet row = statement.executeQuery()) {
                        row.next();
                        Optional<TaskStatus> now =
                                Optional.ofNullable(row.getString(1)).map(TaskStatus::ofWord);
                        LOG.info("cancel of task {} by database user {}: {}", id, userOf(connection), now);
                        return now;
                    }
                }
            });
        } catch (SQLException e) {
            if (SqlErrors.isLockTimeout(e)) {
                throw new TransactionConflictException(
                        "task " + id
                                + " is held by another transaction, such as one that has recorded its outcome and did"
                                + " not commit yet; nothing was changed; try again",
                        e);
            }
            throw SqlErrors.translated(e);
        }
    }

    List<TaskChange> cancel(Set<TaskId> ids) {
        return changed(statements.cancelAll(), "cancel", ids, TaskStatus.CANCELLED, arrays -> {});
    }

    List<TaskChange> requeue(Set<TaskId> ids) {
        return changed(statements.requeueAll(), "requeue", ids, TaskStatus.PENDING, arrays -> {});
    }

    List<TaskChange> delete(Set<TaskId> ids) {
        return changed(statements.deleteAll(), "delete", ids, null, arrays -> {});
    }

    List<TaskChange> reprioritise(Set<TaskId> ids, int priority) {
        String what = "change of priority to " + priority;
        return changed(statements.reprioritiseAll(), what, ids, TaskStatus.PENDING, arrays -> arrays.scalar(priority));
    }

    List<TaskChange> reschedule(Set<TaskId> ids, @Nullable Instant dueAt) {
        String due =
                dueAt == null ? "now" : dueAt.truncatedTo(ChronoUnit.MICROS).toString();
        String what = "change of due time to " + due;
        return changed(statements.rescheduleAll(), what, ids, TaskStatus.PENDING, arrays -> arrays.scalar(due));
    }

    /** Binds what follows the ids. */
    @FunctionalInterface
    private interface Parameters {

        void bind(SqlArrays arrays) throws SQLException;
    }

    /**
     * All at once; if one of them is held for too long, by halves, until it is found.
     *
     * @param afterwards the status that a changed task has; null: it is gone
     */
    private List<TaskChange> changed(
            String sql, String what, Set<TaskId> ids, @Nullable TaskStatus afterwards, Parameters parameters) {
        List<TaskChange> answers = new ArrayList<>(ids.size());
        Deque<List<TaskId>> left = new ArrayDeque<>();
        left.push(List.copyOf(new TreeSet<>(ids)));
        int patience = PATIENCE;
        while (!left.isEmpty()) {
            List<TaskId> some = left.pop();
            try {
                if (patience > 0) {
                    answers.addAll(changedAtOnce(sql, what, some, afterwards, parameters));
                } else {
                    some.forEach(id -> answers.add(TaskChange.busy(id)));
                }
            } catch (SQLException e) {
                if (!SqlErrors.isLockTimeout(e)) {
                    throw SqlErrors.translated(e);
                }
                patience--;
                if (some.size() == 1) {
                    answers.add(TaskChange.busy(some.get(0)));
                } else {
                    left.push(some.subList(some.size() / 2, some.size()));
                    left.push(some.subList(0, some.size() / 2));
                }
            }
        }
        return answers;
    }

    private List<TaskChange> changedAtOnce(
            String sql, String what, List<TaskId> ids, @Nullable TaskStatus afterwards, Parameters parameters)
            throws SQLException {
        if (ids.isEmpty()) {
            return List.of();
        }
        return inTransaction(statements.almostWithoutWaiting(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                parameters.bind(SqlArrays.into(statement).longs(ids, TaskId::value));
                List<TaskChange> answers = answers(statement, afterwards);
                LOG.info(
                        "{} of {} tasks ({} to {}) by database user {}: {} changed",
                        what,
                        ids.size(),
                        ids.get(0),
                        ids.get(ids.size() - 1),
                        userOf(connection),
                        answers.stream()
                                .filter(answer -> answer.kind() == TaskChange.Kind.CHANGED)
                                .count());
                return answers;
            }
        });
    }

    private static List<TaskChange> answers(PreparedStatement statement, @Nullable TaskStatus afterwards)
            throws SQLException {
        List<TaskChange> answers = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                answers.add(answer(rows, afterwards));
            }
        }
        return answers;
    }

    private static TaskChange answer(ResultSet row, @Nullable TaskStatus afterwards) throws SQLException {
        TaskId id = TaskId.of(row.getLong("task_id"));
        String answer = row.getString("answer");
        long newId = row.getLong("new_id");
        if (answer == null) {
            return TaskChange.unchanged(id, null);
        }
        return switch (answer) {
            case "changed" -> changed(id, newId, afterwards);
            case "before" -> TaskChange.requeuedBefore(id, TaskId.of(newId));
            case "busy" -> TaskChange.busy(id);
            default -> TaskChange.unchanged(id, TaskStatus.ofWord(answer));
        };
    }

    private static TaskChange changed(TaskId id, long newId, @Nullable TaskStatus afterwards) {
        if (newId != 0) {
            return TaskChange.requeued(id, TaskId.of(newId));
        }
        return afterwards == null ? TaskChange.deleted(id) : TaskChange.changed(id, afterwards);
    }

    /** Again if a deadlock or a serialization failure ended it. */
    private <T> T inTransaction(String settings, SqlWork<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = source.getConnection()) {
                return OneTransaction.on(connection, tx -> {
                    try (Statement statement = tx.createStatement()) {
                        statement.execute(settings);
                    }
                    return work.on(tx);
                });
            } catch (SQLException e) {
                if (attempt == MAX_TRIES || !SqlErrors.mayRepeat(e)) {
                    throw e;
                }
            }
        }
    }

    private static String userOf(Connection connection) throws SQLException {
        return connection.getMetaData().getUserName();
    }
}
