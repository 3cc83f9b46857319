package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Takes leaves off their parents and puts them back. Whatever the server answers, the catalog says afterwards what became of
 * it: another process, or the rest of a killed one, may be at the same leaf.
 */
final class LeafDetacher {

    /** The wait holds up nobody: a detach waits without a lock on the parent. */
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(20));

    /** It reads the rows of a leaf that came off without leaving a CHECK; nobody else uses that, nor waits for it. */
    private static final Limits OF_ATTACH = new Limits(Duration.ofSeconds(5), Duration.ofMinutes(10));

    /** A transaction that is this old is not about to end. */
    private static final Duration OLD = Duration.ofSeconds(5);

    private final StoreDatabase database;
    private final RetirementStatements statements;

    LeafDetacher(StoreDatabase database, RetirementStatements statements) {
        this.database = database;
        this.statements = statements;
    }

    /** What would keep a detach from coming to its end, in words; empty if nothing is known to. */
    Optional<String> obstacle(DSLContext sql, PartitionTable table) {
        return sql.fetch(statements.oldUsers(table), OLD.toNanos() / 1000).stream()
                .findFirst()
                .map(user -> obstacle(table, user));
    }

    /** Begins to detach and waits for the end; the leaf is pending if that takes too long. */
    void detach(Leaf leaf) {
        database.alone(LIMITS, sql -> sql.execute(statements.detach(leaf.table(), leaf.rangeName())));
    }

    /** Brings an interrupted detach to its end. */
    void finish(Leaf leaf) {
        database.alone(LIMITS, sql -> sql.execute(statements.finish(leaf.table(), leaf.rangeName())));
    }

    void attach(PartitionTable table, PartitionRange range) {
        database.alone(OF_ATTACH, sql -> sql.execute(statements.attach(table, range)));
    }

    private static String obstacle(PartitionTable table, Record user) {
        Integer pid = user.get("pid", Integer.class);
        return pid == null
                ? "a prepared transaction has used " + table.parent()
                        + " and would hold up the detach; commit it or roll it back (pg_prepared_xacts names it)"
                : "the transaction of process " + pid + ", open for " + user.get("seconds", Long.class)
                        + " s, has used " + table.parent() + " and would hold up the detach; end it, or wait";
    }
}
