package dev.sweep.partitioning;

import dev.sweep.StoreException;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jooq.DSLContext;

/**
 * Takes one range one step further. What the step is follows from the stage and from the catalog alone, so it makes no
 * difference which process took the last one, and how that ended.
 */
final class RangeRetirement {

    /** For what reads all of a range that nobody else uses any more. */
    private static final Limits PATIENT = Limits.patient(Duration.ofMinutes(10));

    private static final int PUT_BACK = 5_000;

    private final StoreDatabase database;
    private final RetirementStatements statements;
    private final PartitionCatalog catalog;
    private final RetirementLog log;
    private final RangeJudge judge;
    private final RangeWriters writers;
    private final LeafDetacher detacher;
    private final KeyRelease keys;
    private final EntryUsers entries;
    private final TableFate fate;
    private final BooleanSupplier isOver;

    /** @param isOver whether to end an export early */
    RangeRetirement(
            StoreDatabase database,
            RetirementStatements statements,
            RangeJudge judge,
            TableFate fate,
            BooleanSupplier isOver) {
        this.database = database;
        this.statements = statements;
        this.catalog = new PartitionCatalog(new PartitionStatements(database), DatabaseClock.SERVER);
        this.log = new RetirementLog(statements);
        this.judge = judge;
        this.writers = new RangeWriters(database, statements);
        this.detacher = new LeafDetacher(database, statements);
        this.keys = new KeyRelease(database, statements, log);
        this.entries = new EntryUsers(database, statements, isOver);
        this.fate = fate;
        this.isOver = isOver;
    }

    /** The next step of this retirement as it stands now. */
    RetirementStep next(String name) {
        Optional<Retirement> found = database.inTransaction(Limits.OF_ROWS, sql -> log.find(sql, name));
        if (found.isEmpty()) {
            return RetirementStep.END;
        }
        Retirement now = found.get();
        return switch (now.stage()) {
            case CHOSEN -> detachOrCount(now);
            case RETURNING -> giveBack(now);
            case COUNTED -> {
                keys.next(now);
                yield RetirementStep.ON;
            }
            case RELEASED, EXPORTED -> letGo(now);
            case KEPT, DROPPED -> RetirementStep.END;
        };
    }

    private RetirementStep detachOrCount(Retirement retirement) {
        List<Leaf> leaves = leaves();
        Optional<Leaf> own = leaves.stream().filter(retirement::has).findFirst();
        if (own.isEmpty()) {
            return count(retirement);
        }
        Leaf next = own.get();
        if (next.isDetachPending()) {
            detacher.finish(next);
            return RetirementStep.ON;
        }
        Optional<String> obstacle = obstacle(leaves, next);
        if (obstacle.isPresent()) {
            return RetirementStep.stay(retirement.name(), obstacle.get());
        }
        Optional<StayingRange> staying = lastLook(retirement.range());
        if (staying.isPresent()) {
            database.inTransaction(Limits.OF_ROWS, sql -> returning(sql, retirement, staying.get()));
            return RetirementStep.giveBack(staying.get());
        }
        detacher.detach(next);
        return RetirementStep.ON;
    }

    /**
     * Right before a detach, however long ago the range was chosen and whatever the clock said then: what is live must not
     * be hidden even for a moment, since its entry then waits.
     */
    private Optional<StayingRange> lastLook(PartitionRange range) {
        return writers.whyNot(range).or(() -> database.inTransaction(PATIENT, sql -> judge.lookBriefly(sql, range)));
    }

    private boolean returning(DSLContext sql, Retirement retirement, StayingRange staying) {
        return log.move(sql, retirement, RetirementStage.RETURNING, staying.why());
    }

    /** PostgreSQL has one pending detach of a table at a time. */
    private Optional<String> obstacle(List<Leaf> leaves, Leaf next) {
        return leaves.stream()
                .filter(leaf -> leaf.table() == next.table() && leaf.isDetachPending())
                .findFirst()
                .map(leaf -> "the detach of " + leaf.tableName() + " has to end first")
                .or(() -> database.inTransaction(Limits.OF_ROWS, sql -> detacher.obstacle(sql, next.table())));
    }

    /** From here on there is no way back: judged again, in the transaction that takes the range off the totals. */
    private RetirementStep count(Retirement retirement) {
        return database.inTransaction(PATIENT, sql -> {
            Map<String, Boolean> tables = tables(sql, retirement);
            if (tables.size() < PartitionTable.ALL.size()) {
                return incomplete(retirement, tables);
            }
            Optional<StayingRange> staying = judge.judge(sql, retirement.range());
            if (staying.isPresent()) {
                returning(sql, retirement, staying.get());
                return RetirementStep.giveBack(staying.get());
            }
            if (sql.execute(statements.counted(retirement.name()), retirement.name()) == 1
                    && retirement.tasks() == null) {
                sql.execute(statements.takeOffTotals(retirement.name()));
            }
            return RetirementStep.ON;
        });
    }

    private static RetirementStep incomplete(Retirement retirement, Map<String, Boolean> tables) {
        return RetirementStep.stay(
                retirement.name(),
                "of its tables only " + tables.keySet()
                        + " are left; nothing more was done; restore the others, or delete its row of"
                        + " partition_retired");
    }

    /** The task table last, so that nothing shows a task whose outcome is not there yet. */
    private RetirementStep giveBack(Retirement retirement) {
        Optional<Leaf> pending = leaves().stream()
                .filter(leaf -> retirement.has(leaf) && leaf.isDetachPending())
                .findFirst();
        if (pending.isPresent()) {
            detacher.finish(pending.get());
            return RetirementStep.ON;
        }
        Map<String, Boolean> tables = database.inTransaction(Limits.OF_ROWS, sql -> tables(sql, retirement));
        for (int i = PartitionTable.ALL.size() - 1; i >= 0; i--) {
            PartitionTable table = PartitionTable.ALL.get(i);
            if (Boolean.FALSE.equals(tables.get(table.leaf(retirement.name())))) {
                detacher.attach(table, retirement.range());
                return RetirementStep.ON;
            }
        }
        entries.awaitThoseOfNow();
        return database.inTransaction(PATIENT, sql -> putBackOrForget(sql, retirement, tables.size()));
    }

    /** Locked first, looked at in a second statement: two runs must not put the same task back. */
    private RetirementStep putBackOrForget(DSLContext sql, Retirement retirement, int tables) {
        if (sql.fetch(statements.lockReturning(), retirement.name()).isEmpty()) {
            return RetirementStep.ON;
        }
        IdBounds ids = IdBounds.of(retirement.range());
        int back = tables < PartitionTable.ALL.size()
                ? 0
                : sql.execute(
                        statements.putBack(retirement.name()), ids.from(), ids.to(), ids.from(), ids.to(), PUT_BACK);
        if (back > 0) {
            return RetirementStep.putBack(back);
        }
        log.forget(sql, retirement);
        return RetirementStep.END;
    }

    private RetirementStep letGo(Retirement retirement) {
        if (fate.equals(TableFate.UNDECIDED)) {
            return RetirementStep.END;
        }
        if (fate.last() == RetirementStage.KEPT) {
            move(retirement, RetirementStage.KEPT);
            return RetirementStep.ON;
        }
        Optional<RetirementStep> back = database.inTransaction(PATIENT, sql -> takeBack(sql, retirement));
        if (back.isPresent()) {
            return back.get();
        }
        if (isToDrop(retirement)) {
            drop(retirement);
        }
        return RetirementStep.ON;
    }

    private boolean isToDrop(Retirement retirement) {
        return fate.folder() == null || retirement.stage() == RetirementStage.EXPORTED;
    }

    /**
     * Its tables may have waited for long: if the retention was raised meanwhile, or the clock was ahead, they are not to go
     * yet. Its dedup keys are released already, and stay so.
     */
    private Optional<RetirementStep> takeBack(DSLContext sql, Retirement retirement) {
        Map<String, Boolean> tables = tables(sql, retirement);
        boolean isGone = tables.isEmpty() && isToDrop(retirement);
        if (isGone || judge.isPast(sql, retirement.range())) {
            return Optional.empty();
        }
        if (tables.size() < PartitionTable.ALL.size()) {
            return Optional.of(incomplete(retirement, tables));
        }
        StayingRange staying = new StayingRange(retirement.name(), "it is not past the retention any more", List.of());
        if (!returning(sql, retirement, staying)) {
            // Another run was first.
            return Optional.of(RetirementStep.ON);
        }
        sql.execute(statements.putOnTotals(retirement.name()));
        return Optional.of(RetirementStep.giveBack(staying));
    }

    /**
     * Outside of the guard, for it may take hours; two exports at once write the same. Does nothing if it is not its turn.
     *
     * @throws RunIsOver if told to end; nothing is published then
     */
    void export(String name) {
        Path folder = fate.folder();
        if (folder != null) {
            database.inTransaction(
                            Limits.OF_ROWS,
                            sql -> log.find(sql, name).filter(found -> judge.isPast(sql, found.range())))
                    .filter(retirement -> retirement.stage() == RetirementStage.RELEASED)
                    .ifPresent(retirement -> {
                        new RangeExport(database, folder, isOver).write(retirement.range());
                        move(retirement, RetirementStage.EXPORTED);
                    });
        }
    }

    private void move(Retirement retirement, RetirementStage to) {
        database.inTransaction(Limits.OF_ROWS, sql -> log.move(sql, retirement, to, null));
    }

    private void drop(Retirement retirement) {
        database.inTransaction(Limits.OF_DDL, sql -> {
            for (String table : tables(sql, retirement).keySet()) {
                sql.execute(statements.lockForDrop(table));
            }
            Map<String, Boolean> locked = tables(sql, retirement);
            if (locked.containsValue(true)) {
                throw new StoreException("a table of the retired range " + retirement.name()
                        + " is attached again: " + locked + "; nothing was dropped;"
                        + " delete the row of partition_retired if the range shall stay");
            }
            if (log.move(sql, retirement, RetirementStage.DROPPED, null)) {
                locked.keySet().forEach(table -> sql.execute(statements.drop(table)));
            }
            return locked;
        });
    }

    /** What hangs on the three parents, in the order in which tables go. */
    private List<Leaf> leaves() {
        return database.inTransaction(Limits.OF_ROWS, catalog::leaves);
    }

    /** Its tables that exist, and whether each is attached. */
    private Map<String, Boolean> tables(DSLContext sql, Retirement retirement) {
        return sql.fetch(statements.tables(retirement.name()), database.schema())
                .intoMap(row -> row.get("name", String.class), row -> row.get("is_attached", Boolean.class));
    }
}
