package dev.sweep.jooq;

import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.SweepException;
import dev.sweep.TransactionLostException;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore.TransactionWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs handlers and the completion of their tasks as one commit. The completion is the last statement, so an aborted
 * transaction fails there and not silently at the commit; the transaction's own start tells whether a handler ended it
 * behind our back.
 */
final class HandlerTransactions {

    private static final String ABORTED = "25P02";
    private static final int MAX_CAUSES = 20;

    private final CheckedDataSource source;
    private final TransactionRoom room;
    private final TaskStatements statements;
    private final Outcomes outcomes;
    private final SessionState state;
    private final CommitLook look;

    HandlerTransactions(CheckedDataSource source, TransactionRoom room, TaskStatements statements, Outcomes outcomes) {
        this.source = source;
        this.room = room;
        this.statements = statements;
        this.outcomes = outcomes;
        this.state = new SessionState(statements);
        this.look = new CommitLook(source, statements);
    }

    TransactionEnd complete(List<ClaimedTask> tasks, TransactionWork work) throws Exception {
        HandlerTasks about = new HandlerTasks(tasks);
        room.enter();
        try (HandlerSession session = HandlerSession.begun(source, state)) {
            Uncommitted done = done(session, about, work);
            if (done.question() == null) {
                return new TransactionEnd.RolledBack();
            }
            return done.refused().isEmpty()
                    ? committed(session, about, done.question())
                    : refused(session.connection(), about, done.refused());
        } finally {
            room.leave();
        }
    }

    /**
     * All but the commit.
     *
     * @param question what to ask if the answer to the commit is lost; null if nothing was completed
     * @param refused attempts that could not be completed
     */
    private record Uncommitted(CommitLook.@Nullable Question question, Set<Attempt> refused) {}

    private Uncommitted done(HandlerSession session, HandlerTasks about, TransactionWork work) throws Exception {
        try {
            List<Completion> completions = session.run(work);
            about.check(completions);
            return completions.isEmpty() ? new Uncommitted(null, Set.of()) : completed(session, about, completions);
        } catch (Throwable e) {
            if (saysThatStoreIsAway(e) && !session.isRolledBack()) {
                throw new TransactionLostException(
                        "the connection of the transaction of " + about + " was lost; nothing was written", e);
            }
            throw e;
        }
    }

    /** Whether that is in it anywhere: handlers wrap what their statements throw. */
    private static boolean saysThatStoreIsAway(Throwable thrown) {
        int depth = 0;
        for (Throwable e = thrown; e != null && depth < MAX_CAUSES; e = e.getCause(), depth++) {
            if (e instanceof StoreUnavailableException || (e instanceof SQLException sql && SqlErrors.mayPass(sql))) {
                return true;
            }
        }
        return false;
    }

    private Uncommitted completed(HandlerSession session, HandlerTasks about, List<Completion> completions) {
        Set<Attempt> refused = new HashSet<>();
        completions.forEach(completion -> refused.add(completion.attempt()));
        try {
            CommitLook.Question question = checked(session, about, List.copyOf(refused));
            refused.removeAll(outcomes.complete(session.connection(), completions));
            return new Uncommitted(question, refused);
        } catch (SQLException e) {
            throw whyNot(e, about);
        }
    }

    private CommitLook.Question checked(HandlerSession session, HandlerTasks about, List<Attempt> attempts)
            throws SQLException {
        TransactionMark mark = session.mark();
        try (PreparedStatement statement = session.connection().prepareStatement(statements.checkHandler())) {
            SqlArrays.into(statement)
                    .scalar(mark.startedAt())
                    .scalar(mark.authorization())
                    .scalar(mark.authorization())
                    .scalar(mark.role())
                    .scalar(mark.role())
                    .scalar(mark.statementTimeout())
                    .scalar(mark.lockTimeout())
                    .longs(attempts.stream().map(Attempt::lease).distinct().toList());
            statement.execute();
            try (ResultSet row = statement.getResultSet()) {
                if (!row.next() || !row.getBoolean(1)) {
                    throw new StoreException(
                            "the handler of " + about + " ended its transaction with a textual COMMIT or"
                                    + " ROLLBACK; what it had written is not tied to a completion; leave the transaction to Sweep");
                }
            }
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                int leaseMillis = row.getInt(1);
                session.answersWithin(leaseMillis);
                return new CommitLook.Question(
                        attempts, row.getString(2), System.nanoTime() + leaseMillis * 1_000_000L);
            }
        }
    }

    private static SweepException whyNot(SQLException e, HandlerTasks about) {
        if (ABORTED.equals(e.getSQLState())) {
            return new StoreException(
                    "the transaction of " + about + " was aborted by an earlier error that its handler"
                            + " swallowed, or by a COPY that it left open; nothing was written; let the error out, or use a"
                            + " savepoint around what may fail");
        }
        if (SqlErrors.READ_ONLY.equals(e.getSQLState())) {
            return new StoreException("the transaction of " + about + " is read-only, so that it can't be completed;"
                    + " nothing was written; let the handler leave it read-write");
        }
        return SqlErrors.translated(e);
    }

    /** Once all is rolled back, a task that still runs can only have been ended by its handler itself. */
    private TransactionEnd refused(Connection connection, HandlerTasks about, Set<Attempt> refused) {
        try {
            connection.rollback();
            List<Attempt> asked = List.copyOf(refused);
            try (PreparedStatement statement = connection.prepareStatement(statements.stillRunning())) {
                SqlArrays.into(statement).attempts(asked, Function.identity());
                try (ResultSet rows = statement.executeQuery()) {
                    if (rows.next()) {
                        throw new StoreException("the handler of " + about + " ended task " + rows.getLong(2)
                                + " in its own transaction, so that it could not be completed; nothing was written;"
                                + " let the handler say the outcome instead");
                    }
                }
            }
            return new TransactionEnd.Refused(refused);
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private TransactionEnd committed(HandlerSession session, HandlerTasks about, CommitLook.Question question) {
        try {
            session.connection().commit();
            return new TransactionEnd.Committed(false);
        } catch (SQLException e) {
            return switch (look.at(question, session.connection())) {
                case COMMITTED -> new TransactionEnd.Committed(true);
                case NOT_COMMITTED -> throw SqlErrors.ofCommit(e, about);
                case UNKNOWN -> new TransactionEnd.Unknown(SqlErrors.translated(e));
            };
        }
    }
}
