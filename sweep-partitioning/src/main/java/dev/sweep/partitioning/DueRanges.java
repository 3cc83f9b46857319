package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** The attached ranges that are past the retention, and whether each may go. */
final class DueRanges {

    private static final Limits PATIENT = Limits.patient(Duration.ofMinutes(10));
    private static final int DEAD_LETTERS = 500;

    private final StoreDatabase database;
    private final RetirementStatements statements;
    private final PartitionCatalog catalog;
    private final RetirementLog log;
    private final RangeJudge judge;
    private final RangeWriters writers;
    private final BooleanSupplier isOver;

    /** @param isOver whether to end early */
    DueRanges(StoreDatabase database, RetirementStatements statements, RangeJudge judge, BooleanSupplier isOver) {
        this.database = database;
        this.statements = statements;
        this.catalog = new PartitionCatalog(new PartitionStatements(database), DatabaseClock.SERVER);
        this.log = new RetirementLog(statements);
        this.judge = judge;
        this.writers = new RangeWriters(database, statements);
        this.isOver = isOver;
    }

    /** By time alone, oldest first; those under way left out. */
    List<PartitionRange> inTime() {
        return database.inTransaction(Limits.OF_ROWS, sql -> {
            Set<String> open = log.open(sql).stream().map(Retirement::name).collect(Collectors.toSet());
            return catalog.leaves(sql).stream()
                    .filter(leaf -> leaf.table() == PartitionTable.TASK)
                    .filter(leaf -> !open.contains(leaf.rangeName()))
                    .map(Leaf::range)
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
        if (isOver.getAsBoolean()) {
            return Optional.of(new StayingRange(
                    range.name(), "the run was told to end before it was looked at; the next one goes on", List.of()));
        }
        Optional<StayingRange> written = writers.whyNot(range);
        if (written.isPresent()) {
            return written;
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
                && leaves.stream().allMatch(leaf -> leaf.range().equals(range));
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
        while (!isOver.getAsBoolean()
                && database.inTransaction(
                        Limits.OF_ROWS,
                        sql -> sql.fetchSingle(statements.hasFailed(range.name()))
                                        .get(0, Boolean.class)
                                && sql.fetchSingle(statements.moveDeadLetters(), end, DEAD_LETTERS)
                                                .get(0, Long.class)
                                        > 0)) {
            // The next ones.
        }
    }
}
