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
            SqlArrays arrays = attempts(SqlArrays.into(statement), rows, Completion::attempt)
                    .column("int8", rows, row -> Enqueuer.micros(row.runTime()));
            if (rows.stream().allMatch(row -> row.result() == null)) {
                arrays.none();
            } else {
                arrays.column("text", rows, Completion::result);
            }
            return accepted(statement);
        }
    }

    Set<Attempt> fail(Collection<Failure> failures) {
        List<Failure> rows = inLockOrder(failures, Failure::attempt);
        return rows.isEmpty()
                ? Set.of()
                : session.run(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(statements.fail())) {
                        SqlArrays arrays = attempts(SqlArrays.into(statement), rows, Failure::attempt)
                                .column("int8", rows, row -> Enqueuer.micros(row.runTime()));
                        due(arrays, rows, Failure::retry)
                                .column("text", rows, Failure::errorClass)
                                .column("text", rows, Failure::message);
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
                        due(attempts(SqlArrays.into(statement), rows, Snooze::attempt), rows, Snooze::due);
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
                        attempts(SqlArrays.into(statement), rows, Cancellation::attempt)
                                .column("int8", rows, row -> Enqueuer.micros(row.runTime()))
                                .column("text", rows, Cancellation::reason);
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
                        attempts(SqlArrays.into(statement), rows, Function.identity());
                        return accepted(statement);
                    }
                });
    }

    /** One order for all who lock running rows, so that they can't deadlock. */
    private static <R> List<R> inLockOrder(Collection<R> rows, Function<R, Attempt> attempt) {
        return rows.stream().sorted(Comparator.comparing(attempt)).toList();
    }

    private static <R> SqlArrays attempts(SqlArrays arrays, List<R> rows, Function<R, Attempt> attempt)
            throws SQLException {
        return arrays.column("int8", rows, row -> attempt.apply(row).lease())
                .column("int8", rows, row -> attempt.apply(row).id().value());
    }

    /** Two columns: delays in micros, and instants. */
    private static <R> SqlArrays due(SqlArrays arrays, List<R> rows, Function<R, @Nullable Due> due)
            throws SQLException {
        return arrays.column(
                        "int8", rows, row -> due.apply(row) instanceof Due.In in ? Enqueuer.micros(in.delay()) : null)
                .instants(rows, row -> due.apply(row) instanceof Due.At at ? at.instant() : null);
    }

    private static Set<Attempt> accepted(PreparedStatement statement) throws SQLException {
        Set<Attempt> accepted = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                accepted.add(new Attempt(rows.getLong(1), TaskId.of(rows.getLong(2))));
            }
        }
        return accepted;
    }
}
