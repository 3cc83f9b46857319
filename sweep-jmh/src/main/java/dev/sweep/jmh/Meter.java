package dev.sweep.jmh;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what measured calls take of the server: WAL bytes, statements, commits. It runs between {@link #start} and {@link
 * #stop} only, so that what a benchmark prepares and clears away is not in it. WAL is the whole server's: with others at
 * work it is theirs, too.
 */
final class Meter {

    private final AtomicLong statements = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final Connection look;
    private volatile boolean runs;
    private long walAtStart;
    private Cost total = Cost.NONE;

    /** @param look a connection of the meter's own, which nobody counts */
    Meter(Connection look) {
        this.look = look;
    }

    void start() {
        walAtStart = wal();
        runs = true;
    }

    /** @param tasks how many the calls since the start were about */
    void stop(long tasks) {
        runs = false;
        total = total.plus(new Cost(tasks, wal() - walAtStart, statements.getAndSet(0), commits.getAndSet(0)));
    }

    void countStatement() {
        count(statements);
    }

    void countCommit() {
        count(commits);
    }

    private void count(AtomicLong counter) {
        if (runs) {
            counter.incrementAndGet();
        }
    }

    /** What it has counted since the last time it was asked. */
    Cost take() {
        Cost taken = total;
        total = Cost.NONE;
        return taken;
    }

    private long wal() {
        try (PreparedStatement statement =
                        look.prepareStatement("select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("the server does not tell its WAL position", e);
        }
    }
}
