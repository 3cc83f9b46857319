package dev.sweep.jooq;

import dev.sweep.spi.Attempt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Finds out what became of a transaction whose commit failed or got no answer. The outcomes decide, since they are written
 * in that transaction; but only once it has ended, because until then they may yet appear. While the database can't be
 * asked, asks again until the leases are over, and at least once. Thread-safe.
 */
final class CommitLook {

    /** After a failover to a server that the transaction had not reached. */
    private static final String NEVER_GIVEN_OUT = "22023";

    private static final int NETWORK_TIMEOUT_MILLIS = 10_000;
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
    private static final long LAST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final DataSource source;
    private final TaskStatements statements;

    CommitLook(DataSource source, TaskStatements statements) {
        this.source = source;
        this.statements = statements;
    }

    /**
     * What there is to find out.
     *
     * @param attempts those that the transaction completed, all of them or none
     * @param transaction its id
     * @param until when to give up, by {@link System#nanoTime()}
     */
    record Question(List<Attempt> attempts, String transaction, long until) {}

    /** What was found out. */
    enum Finding {
        COMMITTED,
        NOT_COMMITTED,
        /** It may still commit, or nobody could be asked. */
        UNKNOWN
    }

    /** Asks on the transaction's own connection first: a server that has refused the commit still answers there. */
    Finding at(Question question, Connection own) {
        Finding found = askOn(own, question);
        long pause = FIRST_PAUSE_NANOS;
        while (found == Finding.UNKNOWN) {
            found = askElsewhere(question);
            if (System.nanoTime() - question.until() > 0
                    || Thread.currentThread().isInterrupted()) {
                return found;
            }
            if (found == Finding.UNKNOWN) {
                LockSupport.parkNanos(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2));
                pause = Math.min(2 * pause, LAST_PAUSE_NANOS);
            }
        }
        return found;
    }

    private Finding askElsewhere(Question question) {
        try (Connection another = source.getConnection()) {
            int networkTimeout = another.getNetworkTimeout();
            another.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MILLIS);
            Finding found = askOn(another, question);
            another.setNetworkTimeout(Runnable::run, networkTimeout);
            return found;
        } catch (SQLException away) {
            // The next look may find it back.
            return Finding.UNKNOWN;
        }
    }

    private Finding askOn(Connection connection, Question question) {
        try {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            Finding found = mayYetCommit(connection, question.transaction())
                    ? Finding.UNKNOWN
                    : ended(connection, question.attempts());
            connection.setAutoCommit(autoCommit);
            return found;
        } catch (SQLException away) {
            // The next look may find it back.
            return Finding.UNKNOWN;
        }
    }

    private boolean mayYetCommit(Connection connection, String transaction) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.mayYetCommit())) {
            statement.setString(1, transaction);
            try (ResultSet row = statement.executeQuery()) {
                return !row.next() || row.getBoolean(1);
            }
        } catch (SQLException e) {
            if (NEVER_GIVEN_OUT.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** A statement of its own, so that its snapshot is younger than the end of the transaction. */
    private Finding ended(Connection connection, List<Attempt> attempts) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.succeeded())) {
            SqlArrays.into(statement).attempts(attempts, Function.identity());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getInt(1) == attempts.size() ? Finding.COMMITTED : Finding.NOT_COMMITTED;
            }
        }
    }
}
