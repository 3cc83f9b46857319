package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** The attached ranges that are past the retention, and whether each may go. */
final class DueRanges {

    private static final Limits PATIENT = Limits.patient(Duration.ofMinutes(10));
    private static final int DEAD_LETTERS = 500;

    /** Statements that touch many leaves lock all of them, for moments. */
    private static final int LOOKS = 20;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final StoreDatabase database;
    private final RetirementStatements statements;
    private final PartitionCatalog catalog;
    private final RetirementLog log;
    private final RangeJudge judge;

    DueRanges(StoreDatabase database, RetirementStatements statements, RangeJudge judge) {
        this.database = database;
        this.statements = statements;
        this.catalog = new PartitionCatalog(new PartitionStatements(database), DatabaseClock.SERVER);
        this.log = new RetirementLog(statements);
        this.judge = judge;
    }

    static PartitionRange rangeOf(Leaf leaf) {
        return new PartitionRange(leaf.rangeName(), leaf.from(), leaf.to());
    }

    /** By time alone, oldest first; those under way left out. */
    List<PartitionRange> inTime() {
        return database.inTransaction(Limits.OF_ROWS, sql -> {
            Set<String> open = log.open(sql).stream().map(Retirement::name).collect(Collectors.toSet());
            return catalog.leaves(sql).stream()
                    .filter(leaf -> leaf.table() == PartitionTable.TASK)
                    .filter(leaf -> !open.contains(leaf.rangeName()))
                    .map(DueRanges::rangeOf)
                    .filter(range -> judge.isPast(sql, range))
                    .toList();
        });
    }

    /** Why the range stays; empty if it may go. Its failed tasks become dead letters on the way. */
    Optional<StayingRange> whyNot(PartitionRange range) {
        Optional<StayingRange> odd = database.inTransaction(Limits.OF_ROWS, sql -> oddity(sql, range));
        if (odd.isPresent()) {
            return odd;
        }
        moveDeadLetters(range);
        if (!hasNoWriters(range)) {
            return Optional.of(new StayingRange(
                    range.name(),
                    "an open transaction has written to it, or is about to; end it, or wait (pg_locks, and"
                            + " pg_prepared_xacts, name it)",
                    List.of()));
        }
        return lookAt(range);
    }

    /** The same without changing anything: failed tasks keep the range. */
    Optional<StayingRange> lookAt(PartitionRange range) {
        return database.inTransaction(PATIENT, sql -> judge.judge(sql, range));
    }

    private Optional<StayingRange> oddity(DSLContext sql, PartitionRange range) {
        List<Leaf> leaves = catalog.leaves(sql).stream()
                .filter(leaf -> leaf.rangeName().equals(range.name()))
                .toList();
        boolean isWhole = leaves.size() == PartitionTable.ALL.size()
                && leaves.stream().allMatch(leaf -> rangeOf(leaf).equals(range));
        return isWhole
                ? Optional.empty()
                : Optional.of(new StayingRange(
                        range.name(),
                        "its three tables are not all attached with the same bounds: " + leaves
                                + "; attach the missing ones",
                        List.of()));
    }

    private void moveDeadLetters(PartitionRange range) {
        long end = IdBounds.of(range).to();
        while (database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.fetchSingle(statements.hasFailed(range.name())).get(0, Boolean.class)
                        && sql.fetchSingle(statements.moveDeadLetters(), end, DEAD_LETTERS)
                                        .get(0, Long.class)
                                > 0)) {
            // The next ones.
        }
    }

    private boolean hasNoWriters(PartitionRange range) {
        for (int look = 1; look <= LOOKS; look++) {
            if (!database.inTransaction(
                    Limits.OF_ROWS,
                    sql -> sql.fetchSingle(statements.hasWriters(range.name())).get(0, Boolean.class))) {
                return true;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        return false;
    }
}
