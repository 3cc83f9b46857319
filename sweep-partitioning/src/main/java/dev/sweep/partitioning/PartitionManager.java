package dev.sweep.partitioning;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.SchemaException;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import dev.sweep.partitioning.PartitionLayout.Plan;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The partitions of one installation: on, ahead and off. Thread-safe; any number of processes may use it at once, and any
 * may be killed at any moment: whoever asks next goes on. Nothing here needs more than short locks; if open transactions
 * leave no moment for one, a {@link dev.sweep.TransactionConflictException} names them after the patience that was
 * configured, and what was done so far stays. Only the owner of the schema's tables may change them.
 */
public final class PartitionManager {

    private final StoreDatabase database;
    private final List<PartitionPeriod> periods;
    private final PartitionCatalog catalog;
    private final PartitionSteps steps;
    private final StepRunner runner;

    PartitionManager(StoreDatabase database, PartitionManagerBuilder settings) {
        this.database = database;
        this.periods = List.copyOf(settings.periods());
        PartitionStatements statements = new PartitionStatements(database);
        this.catalog = new PartitionCatalog(statements, settings.clock());
        this.steps = new PartitionSteps(statements, settings.ahead());
        this.runner = new StepRunner(database, statements, catalog, settings.patience());
    }

    public static PartitionManager of(JooqTaskStore store) {
        return builder(store).build();
    }

    public static PartitionManagerBuilder builder(JooqTaskStore store) {
        return new PartitionManagerBuilder(store.database());
    }

    /** What there is now. Locks nothing. */
    public PartitionState state() {
        PartitionLayout layout = layout();
        Optional<Plan> plan = layout.plan();
        return new PartitionState(
                plan.map(Plan::period),
                plan.isPresent() && !plan.get().isConverted(),
                layout.leavesOf(PartitionTable.TASK).stream()
                        .map(leaf -> partition(leaf, layout.now()))
                        .toList(),
                plan.map(chosen -> OptionalInt.of(runway(layout, period(chosen))))
                        .orElse(OptionalInt.empty()));
    }

    private static PartitionState.Partition partition(Leaf leaf, Instant now) {
        return new PartitionState.Partition(
                leaf.rangeName(),
                leaf.from().equals(Instant.MIN) ? Optional.empty() : Optional.of(leaf.from()),
                leaf.isOpen() ? Optional.empty() : Optional.of(leaf.to()),
                leaf.holds(now));
    }

    /** As far as it is worth counting. */
    private static int runway(PartitionLayout layout, PartitionPeriod period) {
        int whole = -1;
        for (PartitionRange range = period.rangeOf(layout.now());
                whole < PartitionManagerBuilder.MAX_AHEAD && layout.isHeld(range.from());
                range = period.after(range)) {
            whole++;
        }
        return whole;
    }

    /**
     * Switches partitions on, also on an installation full of tasks, while producers and workers go on: the leaf without
     * bounds gets one, at a time to come, and later ones are created. Reads all of that leaf once, while it is in use.
     * Interrupted at any point, it can be called again; does nothing if it is done.
     *
     * @return what was done, for people
     */
    public List<String> enable(PartitionPeriod period) {
        PartitionPeriod known = known(period);
        return ran(layout -> steps.toEnable(checked(layout, known), known));
    }

    /** What {@link #enable} would run now, with its SQL. Changes nothing. */
    public List<PlannedStep> planToEnable(PartitionPeriod period) {
        PartitionPeriod known = known(period);
        return planned(layout -> steps.toEnable(checked(layout, known), known));
    }

    /** Creates what is missing of the present range and those ahead; does nothing if partitions are off. Blocks nobody. */
    public List<String> createAhead() {
        return ran(layout -> layout.plan()
                .map(plan -> plan.isConverted()
                        ? steps.toCreateAhead(layout, period(plan))
                        : steps.toSecure(layout, period(plan)))
                .orElse(List.of()));
    }

    /** {@link #createAhead}, and before it the rest of an {@link #enable} that was interrupted. */
    public List<String> care() {
        return ran(layout ->
                layout.plan().map(plan -> steps.toEnable(layout, period(plan))).orElse(List.of()));
    }

    /**
     * Switches partitions off: what comes after the last partition goes into one without end, and what is there stays until
     * retention takes it. {@link #enable} may follow at any time.
     */
    public List<String> disable() {
        return runner.run(layout ->
                layout.plan().map(plan -> steps.toDisable(layout, period(plan))).orElse(List.of()));
    }

    /** What {@link #disable} would run now, with its SQL. Changes nothing. */
    public List<PlannedStep> planToDisable() {
        return planned(layout ->
                layout.plan().map(plan -> steps.toDisable(layout, period(plan))).orElse(List.of()));
    }

    /**
     * A step that is left to do.
     *
     * @param what it does
     * @param isScan whether it reads whole tables, locking nobody out; else it takes milliseconds
     * @param preamble what belongs before it in its transaction, so that nobody changes the layout meanwhile, and nobody waits
     *     for long behind a lock that it does not get
     */
    public record PlannedStep(String what, boolean isScan, List<String> preamble, List<String> sql) {

        public PlannedStep {
            preamble = List.copyOf(preamble);
            sql = List.copyOf(sql);
        }
    }

    private List<PlannedStep> planned(Function<PartitionLayout, List<Step>> wanted) {
        return wanted.apply(layout()).stream()
                .map(step -> new PlannedStep(
                        step.what(), step.isScan(), step.isScan() ? List.of() : runner.preamble(), step.sql()))
                .toList();
    }

    /** What could be done is done before anything is said about the rest: one range must not keep the others from coming. */
    private List<String> ran(Function<PartitionLayout, List<Step>> wanted) {
        List<String> done = runner.run(wanted);
        PartitionLayout layout = layout();
        List<String> obstacles = layout.plan()
                .filter(Plan::isConverted)
                .map(plan -> steps.obstacles(layout, period(plan)))
                .orElse(List.of());
        if (!obstacles.isEmpty()) {
            throw new SchemaException(
                    "no partition can be created where a table of its name is, and is none: " + obstacles
                            + "; what is created then has no place, and enqueues fail; run sweep partitions retire, which gives"
                            + " back what is under way or was detached in part, else attach, rename or drop the table");
        }
        return done;
    }

    private PartitionLayout layout() {
        return database.inTransaction(Limits.OF_ROWS, catalog::layout);
    }

    private PartitionPeriod known(PartitionPeriod period) {
        return named(period.word());
    }

    private PartitionPeriod period(Plan plan) {
        return named(plan.period());
    }

    private PartitionPeriod named(String word) {
        return periods.stream()
                .filter(period -> period.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new InvalidConfigurationException(
                        List.of("partition period '" + word + "' is not known here; known are " + words(periods)
                                + "; give its implementation to the builder")));
    }

    private static List<String> words(Collection<PartitionPeriod> periods) {
        return periods.stream().map(PartitionPeriod::word).toList();
    }

    private static PartitionLayout checked(PartitionLayout layout, PartitionPeriod wanted) {
        layout.plan().filter(plan -> !plan.period().equals(wanted.word())).ifPresent(plan -> {
            throw new InvalidConfigurationException(List.of("partitions are by " + plan.period() + " already, not by "
                    + wanted.word() + "; switch them off first (sweep partitions off), then on by " + wanted.word()));
        });
        return layout;
    }
}
