package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * SPI: the database of a store, for what works beside it (partitions, maintenance, an application's own chores). Statements
 * are text, in which {@code ${schema}} stands for the quoted schema. Thread-safe; each call borrows one connection from the
 * store's source and gives it back as it was. Errors of the database come out as {@link dev.sweep.SweepException}s.
 */
public final class StoreDatabase {

    private final CheckedDataSource source;
    private final SchemaName schema;

    StoreDatabase(CheckedDataSource source, SchemaName schema) {
        this.source = source;
        this.schema = schema;
    }

    /** The schema as PostgreSQL stores it, without quotes. */
    public String schema() {
        return schema.value();
    }

    /** The schema as SQL writes it. */
    public String quotedSchema() {
        return schema.quoted();
    }

    /** The text with {@code ${schema}} replaced by the quoted schema, and {@code ${schemaText}} by that within a literal. */
    public String sql(String text) {
        return text.replace("${schema}", schema.quoted()).replace("${schemaText}", schema.quotedInText());
    }

    /** What to do with a connection. */
    @FunctionalInterface
    public interface Work<T> {

        T on(DSLContext sql) throws SQLException;
    }

    /**
     * How long statements may take.
     *
     * @param lockTimeout the longest wait for a lock
     * @param statementTimeout the longest run of a statement
     */
    public record Limits(Duration lockTimeout, Duration statementTimeout) {

        /** For changes of rows: gives way early, ends in any case. */
        public static final Limits OF_ROWS = new Limits(Duration.ofSeconds(2), Duration.ofSeconds(20));

        /** For DDL on tables in use: whoever queues behind it waits as long. */
        public static final Limits OF_DDL = new Limits(Duration.ofMillis(100), Duration.ofSeconds(20));

        /** For reads and rebuilds that take as long as the tables are large, and hold up nobody. */
        public static Limits patient(Duration statementTimeout) {
            return new Limits(Duration.ofSeconds(2), statementTimeout);
        }
    }

    /** Runs the work as one transaction at READ COMMITTED, committed if it returns. */
    public <T> T inTransaction(Limits limits, Work<T> work) {
        return translated(() -> {
            try (Connection connection = source.getConnection()) {
                return OneTransaction.on(connection, tx -> {
                    execute(tx, "set transaction isolation level read committed");
                    settings(tx, true, text(limits.lockTimeout()), text(limits.statementTimeout()));
                    return work.on(SchemaSql.on(tx, schema));
                });
            }
        });
    }

    /**
     * Runs the work on a connection in autocommit mode, for statements that refuse a transaction, such as {@code REINDEX
     * CONCURRENTLY}: one statement a call of jOOQ. Behind a pooler, where a setting of the session would reach others, only
     * the driver watches how long a statement takes.
     */
    public <T> T alone(Limits limits, Work<T> work) {
        return translated(() -> {
            try (Connection connection = source.getConnection()) {
                boolean autoCommit = connection.getAutoCommit();
                connection.setAutoCommit(true);
                try {
                    return source.isPooled(connection)
                            ? work.on(withTimeout(connection, limits))
                            : onSession(connection, limits, work);
                } finally {
                    putBack(connection, () -> connection.setAutoCommit(autoCommit));
                }
            }
        });
    }

    private <T> T onSession(Connection connection, Limits limits, Work<T> work) throws SQLException {
        String[] before = settings(connection, false, text(limits.lockTimeout()), text(limits.statementTimeout()));
        try {
            return work.on(SchemaSql.on(connection, schema));
        } finally {
            putBack(connection, () -> settings(connection, false, before));
        }
    }

    private DSLContext withTimeout(Connection connection, Limits limits) {
        DSLContext sql = SchemaSql.on(connection, schema);
        sql.settings().setQueryTimeout((int) limits.statementTimeout().toSeconds());
        return sql;
    }

    /** Gives the lock timeout and the statement timeout new values, for the transaction or the session; answers the old. */
    private static String[] settings(Connection connection, boolean isLocal, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select before.lock_wait, before.run, set_config('lock_timeout', ?, ?), set_config('statement_timeout', ?, ?)
                from (select current_setting('lock_timeout') as lock_wait, current_setting('statement_timeout') as run
                      offset 0) before
                """)) {
            statement.setString(1, values[0]);
            statement.setBoolean(2, isLocal);
            statement.setString(3, values[1]);
            statement.setBoolean(4, isLocal);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new String[] {row.getString(1), row.getString(2)};
            }
        }
    }

    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }

    /** Changes a connection back; one that refuses is ended. */
    private static void putBack(Connection connection, Change change) {
        try {
            change.run();
        } catch (SQLException | RuntimeException unusable) {
            Discarded.connection(connection);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A change that may fail as JDBC does. */
    @FunctionalInterface
    private interface Change {

        void run() throws SQLException;
    }

    /** A call that may fail as JDBC does. */
    @FunctionalInterface
    private interface Call<T> {

        T run() throws SQLException;
    }

    private static <T> T translated(Call<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        } catch (DataAccessException e) {
            SQLException cause = e.getCause(SQLException.class);
            throw cause == null ? e : SqlErrors.translated(cause);
        }
    }
}
