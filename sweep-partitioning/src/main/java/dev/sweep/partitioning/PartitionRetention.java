package dev.sweep.partitioning;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Retires ranges of the past: detaches their partitions without holding up anybody, releases their dedup keys, takes them off
 * the totals, then drops, keeps or exports their tables.
 *
 * <p>A range is due when it lies in the past for as long as finished tasks stay, and all its tasks finished that long ago, by
 * the database's clock. Failed ones become dead letters first. One task that waits, runs, has no outcome or ended later keeps
 * the whole range, and is reported; so does an open transaction that has written to it. After it is detached it is judged
 * again, and attached again if need be; only then something is given up. An interrupted run is set right by the next one,
 * wherever it was interrupted, in any process.
 *
 * <p>Thread-safe; any number of processes may run it at once, they take turns step by step. Uses up to two connections of the
 * store's source at a time; its statements take short locks, and the user must own the tables. Blocks as long as the tables
 * are large.
 */
public final class PartitionRetention {

    private final StoreDatabase database;
    private final RetirementStatements statements;
    private final RangeJudge judge;
    private final TableFate fate;

    PartitionRetention(StoreDatabase database, RetentionConfig config) {
        this.database = database;
        this.statements = new RetirementStatements(database);
        this.judge = new RangeJudge(statements, config.finishedFor());
        this.fate = config.fate();
    }

    public static PartitionRetentionBuilder builder(JooqTaskStore store) {
        return new PartitionRetentionBuilder(store.database());
    }

    /**
     * Repairs what is unfinished, then retires what is due, oldest first. Commits on the way, many times.
     *
     * <p>An error that one range meets keeps that range, and is told by {@link RetentionReport#failed()}; the others go on.
     *
     * @throws dev.sweep.SweepException if it can't be found out what there is to do; what is done is done, and the next run
     *     goes on
     */
    public RetentionReport run() {
        return run(() -> false);
    }

    /**
     * The same, ending early if need be.
     *
     * @param isOver asked between steps, each of which is bounded: one statement on one range, one batch of dead letters,
     *     one chunk of an export; once it says true nothing new is begun, and the next run goes on
     */
    public RetentionReport run(BooleanSupplier isOver) {
        return new RetentionRun(database, statements, judge, fate, isOver).toItsEnd();
    }

    /**
     * Only sets right what is unfinished: ends interrupted detaches, gives back what is live, and brings ranges that were
     * begun to where nothing but what becomes of their tables is left to do. Chooses nothing new, and drops, keeps and
     * exports nothing, whatever was chosen for that: for a process that can't do it, such as one without the folder.
     *
     * @param isOver asked between steps, as by {@link #run(BooleanSupplier)}
     */
    public RetentionReport repair(BooleanSupplier isOver) {
        return new RetentionRun(database, statements, judge, TableFate.UNDECIDED, isOver).ofRepair();
    }

    /** What {@link #run()} would find due now. Changes nothing; failed tasks, which a run moves, are named as staying. */
    public RetentionReport preview() {
        DueRanges due = new DueRanges(database, statements, judge, () -> false);
        List<RetiredRange> would = new ArrayList<>();
        List<StayingRange> staying = new ArrayList<>();
        for (PartitionRange range : due.inTime()) {
            Optional<StayingRange> why = due.lookAt(range);
            why.ifPresentOrElse(
                    staying::add, () -> would.add(new RetiredRange(range.name(), RetiredRange.Fate.WOULD_GO, 0)));
        }
        return new RetentionReport(would, staying, List.of());
    }
}
