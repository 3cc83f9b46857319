package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL counts, read in a session of its own whose transactions are left out. Also sets the stage. */
final class ServerCounters {

    private static final Duration SETTLED_AFTER = Duration.ofSeconds(15);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final int FIRST_WITH_WAL_STATISTICS = 140_000;
    private static final int FIRST_WITH_FLUSH = 150_000;

    private final Connection connection;
    private final int version;
    private long ownTransactions;

    ServerCounters(Connection connection) throws SQLException {
        this.connection = connection;
        this.version = (int) number("select current_setting('server_version_num')::int");
    }

    /** Bytes of WAL since the beginning of the server. */
    long walPosition() throws SQLException {
        return number("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
    }

    /** Null: this version does not count them. */
    @Nullable
    Long pageImages() throws SQLException {
        return version < FIRST_WITH_WAL_STATISTICS ? null : number("select wal_fpi from pg_stat_wal");
    }

    /** Of this database, by others; sessions tell them when they end, and about once a second. */
    long transactions() throws SQLException {
        if (version >= FIRST_WITH_FLUSH) {
            number("select 1 from pg_stat_force_next_flush()");
        }
        // The last statement is told by the next one.
        long own = ownTransactions;
        return number("select xact_commit + xact_rollback from pg_stat_database where datname = current_database()")
                - own;
    }

    /** Waits until only so many other sessions of this user are left in this database: then all have told. */
    void awaitSessions(long left, Pause pause) throws SQLException, InterruptedException {
        long until = System.nanoTime() + SETTLED_AFTER.toNanos();
        while (sessions() > left && System.nanoTime() < until) {
            pause.pause(LOOK_EVERY);
        }
    }

    long sessions() throws SQLException {
        return number("select count(*) from pg_stat_activity where backend_type = 'client backend'"
                + " and datname = current_database() and usename = current_user and pid <> pg_backend_pid()");
    }

    private long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            ownTransactions++;
            row.next();
            return row.getLong(1);
        }
    }
}
