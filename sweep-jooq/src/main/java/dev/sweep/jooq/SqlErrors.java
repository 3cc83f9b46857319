package dev.sweep.jooq;

import dev.sweep.DuplicateTaskException;
import dev.sweep.SchemaException;
import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.SweepException;
import dev.sweep.TaskId;
import dev.sweep.TransactionConflictException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Turns SQLSTATEs into the reactions of {@link SweepException}; nothing else in Sweep looks at them. Messages carry what
 * the server said in short, never its detail line, which may quote a payload.
 */
final class SqlErrors {

    static final String CONNECTION_DOES_NOT_EXIST = "08003";
    static final String READ_ONLY = "25006";
    static final String TOO_MANY_CONNECTIONS = "53300";
    private static final String DUPLICATE_TASK = "SW001";
    private static final String LOCK_TIMEOUT = "55P03";
    private static final String CHECK_VIOLATION = "23514";
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", LOCK_TIMEOUT);
    private static final Set<String> NO_SCHEMA = Set.of("3F000", "42P01", "42883", "42703");
    /** Statement timeouts, a read-only server; the classes beside them in {@link #mayPass}. */
    private static final Set<String> PASSING = Set.of("57014", READ_ONLY, "25P03", "3D000");

    private static final Set<String> PASSING_CLASSES = Set.of("08", "28", "53", "57", "58");

    private SqlErrors() {}

    static SweepException translated(SQLException e) {
        String state = Objects.requireNonNullElse(e.getSQLState(), "");
        if (state.equals(DUPLICATE_TASK)) {
            return duplicate(e);
        }
        if (CONFLICTS.contains(state)) {
            return new TransactionConflictException(
                    "the database ended the transaction because of a concurrent one (" + said(e)
                            + "); run the whole transaction again",
                    e);
        }
        if (NO_SCHEMA.contains(state)) {
            return new SchemaException(
                    "the database has no Sweep schema, or an older one (" + said(e) + "); run `sweep migrate`", e);
        }
        if (isWithoutPartition(e)) {
            return new StoreException(
                    "no partition holds the present time (" + said(e)
                            + "); nothing was written; run `sweep partitions ahead`,"
                            + " and keep a maintenance service running, which creates them weeks ahead",
                    e);
        }
        if (mayPass(e)) {
            return new StoreUnavailableException("the database can't serve now (" + said(e) + "); try later", e);
        }
        return new StoreException("the database refused a statement (" + said(e) + ")", e);
    }

    /** For a commit that is known not to have happened. */
    static SweepException ofCommit(SQLException e, Object about) {
        SweepException translated = translated(e);
        if (translated instanceof StoreUnavailableException) {
            return new StoreUnavailableException(
                    "the connection broke at the commit of " + about + " (" + said(e)
                            + "); looking showed that it did not happen: nothing was written",
                    e);
        }
        if (translated instanceof StoreException) {
            return new StoreException(
                    "the database refused the commit of " + about + " (" + said(e)
                            + "); nothing was written; deferred constraints are checked only there",
                    e);
        }
        return translated;
    }

    /** PostgreSQL has one SQLSTATE for it and for a violated CHECK; only the latter names its constraint. */
    private static boolean isWithoutPartition(SQLException e) {
        ServerErrorMessage message = serverMessage(e);
        return CHECK_VIOLATION.equals(e.getSQLState())
                && message != null
                && message.getConstraint() == null
                && message.getTable() != null;
    }

    /** Whether the same may well succeed at once: not after a wait for a lock that was in vain. */
    static boolean mayRepeat(SQLException e) {
        return translated(e) instanceof TransactionConflictException && !isLockTimeout(e);
    }

    /** Whether someone else held a lock for longer than was allowed. */
    static boolean isLockTimeout(SQLException e) {
        return LOCK_TIMEOUT.equals(e.getSQLState());
    }

    /** Whether the database or its connection can't serve now, rather than this statement being wrong. */
    static boolean mayPass(SQLException e) {
        String state = Objects.requireNonNullElse(e.getSQLState(), "");
        return e instanceof SQLTransientConnectionException
                || PASSING.contains(state)
                || (state.length() == 5 && PASSING_CLASSES.contains(state.substring(0, 2)));
    }

    private static SweepException duplicate(SQLException e) {
        ServerErrorMessage message = serverMessage(e);
        String owner = message == null ? null : message.getDetail();
        String key = message == null ? null : message.getHint();
        return owner == null || key == null
                ? new StoreException("a dedup key is taken (" + said(e) + ")", e)
                : new DuplicateTaskException(key, TaskId.of(Long.parseLong(owner)));
    }

    private static String said(SQLException e) {
        ServerErrorMessage message = serverMessage(e);
        String text = message == null ? withCause(e) : message.getMessage();
        String state = e.getSQLState() == null ? "" : String.format(Locale.ROOT, ", SQLSTATE %s", e.getSQLState());
        return text + state;
    }

    /** A pool that found no connection says why only in the cause. */
    private static @Nullable String withCause(SQLException e) {
        return e.getCause() instanceof SQLException cause ? e.getMessage() + ": " + cause.getMessage() : e.getMessage();
    }

    private static @Nullable ServerErrorMessage serverMessage(SQLException e) {
        return e instanceof PSQLException fromServer ? fromServer.getServerErrorMessage() : null;
    }
}
