package dev.sweep.partitioning;

import dev.sweep.StoreUnavailableException;
import dev.sweep.TransactionConflictException;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the retention: first what is unfinished, interrupted detaches before all else, then what has become due. */
final class RetentionRun {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionRetention.class);

    private final StoreDatabase database;
    private final PartitionCatalog catalog;
    private final RetirementLog log;
    private final RetirementGuard guard;
    private final DueRanges due;
    private final RangeRetirement retirement;
    private final TableFate fate;

    private final List<RetiredRange> retired = new ArrayList<>();
    private final List<StayingRange> staying = new ArrayList<>();
    private final List<String> repaired = new ArrayList<>();

    RetentionRun(StoreDatabase database, RetirementStatements statements, RangeJudge judge, TableFate fate) {
        this.database = database;
        this.catalog = new PartitionCatalog(new PartitionStatements(database), DatabaseClock.SERVER);
        this.log = new RetirementLog(statements);
        this.guard = new RetirementGuard(database, statements);
        this.due = new DueRanges(database, statements, judge);
        this.retirement = new RangeRetirement(database, statements, judge, fate);
        this.fate = fate;
    }

    RetentionReport toItsEnd() {
        guarded("unfinished", this::adoptPending);
        for (Retirement open : unfinished()) {
            repaired.add("went on with range " + open.name() + ", which was "
                    + open.stage().word());
            goOn(open.name());
        }
        for (PartitionRange range : due.inTime()) {
            if (choose(range)) {
                goOn(range.name());
            }
        }
        return new RetentionReport(retired, staying, repaired);
    }

    /**
     * A detach that was interrupted can't be taken back, and hides what is in the leaf. Where it was not ours, the leaf is
     * attached again afterwards: only what was judged goes.
     */
    private RetirementStep adoptPending() {
        database.inTransaction(Limits.OF_ROWS, sql -> {
            Set<String> known = log.open(sql).stream().map(Retirement::name).collect(Collectors.toSet());
            for (Leaf leaf : catalog.leaves(sql)) {
                if (leaf.isDetachPending() && !known.contains(leaf.rangeName())) {
                    log.begin(
                            sql,
                            DueRanges.rangeOf(leaf),
                            RetirementStage.RETURNING,
                            "its detach was begun by someone else and interrupted");
                    known.add(leaf.rangeName());
                }
            }
            return known;
        });
        return RetirementStep.END;
    }

    private List<Retirement> unfinished() {
        return database.inTransaction(Limits.OF_ROWS, sql -> {
            Set<String> pending = catalog.leaves(sql).stream()
                    .filter(Leaf::isDetachPending)
                    .map(Leaf::rangeName)
                    .collect(Collectors.toSet());
            return log.open(sql).stream()
                    .sorted(Comparator.comparing(row -> !pending.contains(row.name())))
                    .toList();
        });
    }

    private boolean choose(PartitionRange range) {
        RetirementStep step = guarded(range.name(), () -> {
            Optional<StayingRange> why = due.whyNot(range);
            if (why.isPresent()) {
                return RetirementStep.stay(why.get());
            }
            database.inTransaction(Limits.OF_ROWS, sql -> {
                log.begin(sql, range, RetirementStage.CHOSEN, "");
                return range;
            });
            return RetirementStep.ON;
        });
        return !step.isDone();
    }

    private void goOn(String name) {
        RetirementStep step = RetirementStep.ON;
        while (!step.isDone()) {
            retirement.export(name);
            step = guarded(name, () -> retirement.next(name));
        }
        database.inTransaction(Limits.OF_ROWS, sql -> log.find(sql, name))
                .filter(end -> end.stage().isFinal()
                        && staying.stream().noneMatch(s -> s.name().equals(name)))
                .ifPresent(this::tellRetired);
    }

    private void tellRetired(Retirement end) {
        RetiredRange told = new RetiredRange(end.name(), fate.inReport(), end.tasks() == null ? 0 : end.tasks());
        retired.add(told);
        LOG.info(
                "Retired range {} of {} tasks: {}",
                told.name(),
                told.tasks(),
                told.fate().word());
    }

    /** A step that has to wait for others is left to the next run. */
    private RetirementStep guarded(String name, Supplier<RetirementStep> work) {
        RetirementStep step;
        try {
            step = guard.whileAlone(work).orElseGet(() -> RetirementStep.stay(name, "another process is at it"));
        } catch (TransactionConflictException | StoreUnavailableException later) {
            step = RetirementStep.stay(name, "put off to the next run: " + later.getMessage());
        }
        step.staying().ifPresent(this::tellStaying);
        return step;
    }

    private void tellStaying(StayingRange range) {
        staying.add(range);
        LOG.warn("Range {} stays: {}", range.name(), range.why());
    }
}
