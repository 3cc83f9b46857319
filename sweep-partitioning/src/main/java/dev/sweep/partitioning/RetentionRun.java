package dev.sweep.partitioning;

import dev.sweep.StoreUnavailableException;
import dev.sweep.SweepException;
import dev.sweep.TransactionConflictException;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the retention: first what is unfinished, interrupted detaches before all else, then what has become due. */
final class RetentionRun {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionRetention.class);

    private static final String CANCELED = "57014";

    private final StoreDatabase database;
    private final PartitionCatalog catalog;
    private final RetirementLog log;
    private final RetirementGuard guard;
    private final DueRanges due;
    private final RangeRetirement retirement;
    private final TableFate fate;
    private final BooleanSupplier isOver;

    private final List<RetiredRange> retired = new ArrayList<>();
    private final List<StayingRange> staying = new ArrayList<>();
    private final List<String> repaired = new ArrayList<>();
    private final List<StayingRange> failed = new ArrayList<>();

    RetentionRun(
            StoreDatabase database,
            RetirementStatements statements,
            RangeJudge judge,
            TableFate fate,
            BooleanSupplier isOver) {
        this.database = database;
        this.catalog = new PartitionCatalog(new PartitionStatements(database), DatabaseClock.SERVER);
        this.log = new RetirementLog(statements);
        this.guard = new RetirementGuard(database, statements);
        this.due = new DueRanges(database, statements, judge, isOver);
        this.retirement = new RangeRetirement(database, statements, judge, fate, isOver);
        this.isOver = isOver;
        this.fate = fate;
    }

    RetentionReport toItsEnd() {
        setRight();
        for (PartitionRange range : due.inTime()) {
            if (!isOver.getAsBoolean() && choose(range)) {
                goOn(range.name());
            }
        }
        return report();
    }

    /** Without choosing anything new. */
    RetentionReport ofRepair() {
        setRight();
        return report();
    }

    private RetentionReport report() {
        return new RetentionReport(retired, staying, repaired, failed);
    }

    private void setRight() {
        guarded("unfinished", this::adoptOthers);
        for (Retirement open : unfinished()) {
            if (isOver.getAsBoolean()) {
                break;
            }
            repaired.add("went on with range " + open.name() + ", which was "
                    + open.stage().word());
            goOn(open.name());
        }
    }

    /**
     * A detach that was interrupted can't be taken back, and hides what is in the leaf; so does one that was brought to its
     * end by hand. Where it was not ours, the range is attached again: only what was judged goes.
     */
    private RetirementStep adoptOthers() {
        database.inTransaction(Limits.OF_ROWS, sql -> {
            Set<String> known = log.open(sql).stream().map(Retirement::name).collect(Collectors.toSet());
            for (Leaf leaf : catalog.leaves(sql)) {
                if (leaf.isDetachPending() && known.add(leaf.rangeName())) {
                    adopt(sql, leaf.range(), "its detach was begun by someone else and interrupted");
                }
            }
            for (PartitionRange half : catalog.halves(sql)) {
                if (known.add(half.name())) {
                    adopt(sql, half, "one of its tables was detached by someone else");
                }
            }
            return known;
        });
        return RetirementStep.END;
    }

    private void adopt(DSLContext sql, PartitionRange range, String note) {
        log.begin(sql, range, RetirementStage.RETURNING, note);
    }

    private List<Retirement> unfinished() {
        return database.inTransaction(Limits.OF_ROWS, sql -> {
            Set<String> pending = catalog.leaves(sql).stream()
                    .filter(Leaf::isDetachPending)
                    .map(Leaf::rangeName)
                    .collect(Collectors.toSet());
            return log.open(sql).stream()
                    .filter(row ->
                            !fate.equals(TableFate.UNDECIDED) || !row.stage().isForFate())
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
        long putBack = 0;
        while (!step.isDone() && !isOver.getAsBoolean()) {
            step = export(name);
            if (!step.isDone()) {
                step = guarded(name, () -> retirement.next(name));
                putBack += step.putBack();
            }
        }
        if (putBack > 0) {
            repaired.add(putBack + " tasks of range " + name + " were in no place and wait again");
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
        return told(
                name,
                () -> guard.whileAlone(work).orElseGet(() -> RetirementStep.stay(name, "another process is at it")));
    }

    private RetirementStep export(String name) {
        return told(name, () -> {
            retirement.export(name);
            return RetirementStep.ON;
        });
    }

    /** What one range meets must not keep the others from going. */
    private RetirementStep told(String name, Supplier<RetirementStep> work) {
        RetirementStep step;
        try {
            step = work.get();
        } catch (RunIsOver over) {
            step = RetirementStep.stay(name, Objects.requireNonNull(over.getMessage()));
        } catch (TransactionConflictException later) {
            step = RetirementStep.stay(name, "put off to the next run: " + later.getMessage());
        } catch (SweepException error) {
            boolean mayPass = error instanceof StoreUnavailableException && !isTooSlow(error);
            step = RetirementStep.stay(name, (mayPass ? "put off to the next run: " : "failed: ") + error.getMessage());
            if (!mayPass) {
                step.staying().ifPresent(failed::add);
            }
        }
        step.staying().ifPresent(this::tellStaying);
        return step;
    }

    /** A statement that ran into its timeout is likely to do so again. */
    private static boolean isTooSlow(SweepException error) {
        return error.getCause() instanceof SQLException cause && CANCELED.equals(cause.getSQLState());
    }

    /** The report says it to whoever asked for the run; to log it as well would say it twice. */
    private void tellStaying(StayingRange range) {
        staying.add(range);
        LOG.debug("Range {} stays: {}", range.name(), range.why());
    }
}
