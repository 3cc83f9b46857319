package dev.sweep.jooq;

import dev.sweep.Due;
import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Snooze;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ends attempts: a statement per kind, whatever the number, each fenced by the running row that it deletes. */
final class Outcomes {

    private final HotSession session;
    private final TaskStatements statements;

    Outcomes(HotSession session, TaskStatements statements) {
        this.session = session;
        this.statements = statements;
    }

    Set<Attempt> complete(Collection<Completion> completions) {
        return completions.isEmpty() ? Set.of() : session.run(connection -> complete(connection, completions));
    }

    /** On a connection of the caller's, in its transaction. */
    Set<Attempt> complete(Connection connection, Collection<Completion> completions) throws SQLException {
        List<Completion> rows = inLockOrder(completions, Completion::attempt);
        try (PreparedStatement statement = connection.prepareStatement(statements.complete())) {
            SqlArrays.into(statement)
                    .attempts(rows, Completion::attempt)
                    .longs(rows, row -> SqlArrays.micros(row.runTime()))
                    .texts(rows, Completion::result);
            return accepted(statement);
        }
    }

    Set<Attempt> fail(Collection<Failure> failures) {
        List<Failure> rows = inLockOrder(failures, Failure::attempt);
        return rows.isEmpty()
                ? Set.of()
                : session.run(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(statements.fail())) {
                        SqlArrays arrays = SqlArrays.into(statement)
                                .attempts(rows, Failure::attempt)
                                .longs(rows, row -> SqlArrays.micros(row.runTime()));
                        due(arrays, rows, Failure::retry)
                                .texts(rows, Failure::errorClass)
                                .texts(rows, Failure::message);
                        return accepted(statement);
                    }
                });
    }

    Set<Attempt> snooze(Collection<Snooze> snoozes) {
        List<Snooze> rows = inLockOrder(snoozes, Snooze::attempt);
        return rows.isEmpty()
                ? Set.of()
                : session.run(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(statements.snooze())) {
                        due(SqlArrays.into(statement).attempts(rows, Snooze::attempt), rows, Snooze::due);
                        return accepted(statement);
                    }
                });
    }

    Set<Attempt> cancel(Collection<Cancellation> cancellations) {
        List<Cancellation> rows = inLockOrder(cancellations, Cancellation::attempt);
        return rows.isEmpty()
                ? Set.of()
                : session.run(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(statements.cancelAttempts())) {
                        SqlArrays.into(statement)
                                .attempts(rows, Cancellation::attempt)
                                .longs(rows, row -> SqlArrays.micros(row.runTime()))
                                .texts(rows, Cancellation::reason);
                        return accepted(statement);
                    }
                });
    }

    Set<Attempt> release(Collection<Attempt> attempts) {
        List<Attempt> rows = inLockOrder(attempts, Function.identity());
        return rows.isEmpty()
                ? Set.of()
                : session.run(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(statements.release())) {
                        SqlArrays.into(statement).attempts(rows, Function.identity());
                        return accepted(statement);
                    }
                });
    }

    /** One order for all who lock running rows, so that they can't deadlock. */
    private static <R> List<R> inLockOrder(Collection<R> rows, Function<R, Attempt> attempt) {
        return rows.stream().sorted(Comparator.comparing(attempt)).toList();
    }

    /** Two columns: delays in micros, and instants. */
    private static <R> SqlArrays due(SqlArrays arrays, List<R> rows, Function<R, @Nullable Due> due)
            throws SQLException {
        return arrays.longs(rows, row -> due.apply(row) instanceof Due.In in ? SqlArrays.micros(in.delay()) : null)
                .instants(rows, row -> due.apply(row) instanceof Due.At at ? at.instant() : null);
    }

    private static Set<Attempt> accepted(PreparedStatement statement) throws SQLException {
        try (ResultSet answer = statement.executeQuery()) {
            answer.next();
            List<Long> leases = SqlArrays.longs(answer, 1);
            List<Long> ids = SqlArrays.longs(answer, 2);
            Set<Attempt> accepted = new HashSet<>();
            for (int i = 0; i < ids.size(); i++) {
                accepted.add(new Attempt(leases.get(i), TaskId.of(ids.get(i))));
            }
            return accepted;
        }
    }
}
