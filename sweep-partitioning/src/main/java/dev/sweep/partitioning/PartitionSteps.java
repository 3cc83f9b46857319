package dev.sweep.partitioning;

import dev.sweep.partitioning.PartitionLayout.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is left to do to get from a layout to the one that is wanted, in order. Each step is found from what is there, so
 * whoever is interrupted between two, or shares the work with others, goes on by asking again.
 */
final class PartitionSteps {

    /** Before a coming bound is reached, the leaf must have got it, or the constraint be gone: it would refuse new tasks. */
    static final Duration BOUND_MARGIN = Duration.ofHours(1);

    private final PartitionStatements statements;
    private final int ahead;

    PartitionSteps(PartitionStatements statements, int ahead) {
        this.statements = statements;
        this.ahead = ahead;
    }

    /** To partitions by this period: with a plan, bounded, created ahead. */
    List<Step> toEnable(PartitionLayout layout, PartitionPeriod period) {
        if (layout.plan().isEmpty()) {
            Instant bound = firstBound(layout, period);
            List<Step> steps = new ArrayList<>();
            steps.add(new Step(
                    "partitions by " + period.word() + " from " + bound + " on: keep the decision",
                    false,
                    List.of(statements.choose(period.word(), bound))));
            steps.addAll(toEnable(decided(layout, new Plan(period.word(), bound, false)), period));
            return steps;
        }
        return Stream.concat(
                        toConvert(layout, layout.plan().get(), period).stream(), toCreateAhead(layout, period).stream())
                .toList();
    }

    private List<Step> toConvert(PartitionLayout layout, Plan plan, PartitionPeriod period) {
        if (plan.isConverted()) {
            return List.of();
        }
        List<Leaf> open = layout.openLeaves();
        if (open.isEmpty()) {
            return List.of(new Step("keep that it is done", false, List.of(statements.converted())));
        }
        boolean isForEmpty = layout.isEmpty() && plan.firstBound().isBefore(layout.now());
        if (!isForEmpty && isTooLate(layout, plan)) {
            Plan anew = new Plan(plan.period(), laterBound(layout, period), false);
            List<Step> steps = new ArrayList<>(List.of(chooseAnew(layout, anew.firstBound())));
            steps.addAll(toConvert(decided(layout, anew), anew, period));
            return steps;
        }
        if (isForEmpty) {
            List<String> sql = new ArrayList<>(List.of(statements.lockTables(), statements.assertEmpty(open)));
            open.forEach(leaf -> sql.addAll(statements.bound(leaf, plan.firstBound())));
            creatable(layout, period).forEach(range -> sql.addAll(create(layout, range, PartitionTable.ALL)));
            sql.add(statements.converted());
            return List.of(new Step("partitions instead of what is empty", false, sql));
        }
        List<Step> steps = new ArrayList<>();
        open.forEach(leaf -> steps.addAll(toConstrain(layout, leaf, plan.firstBound())));
        steps.add(swap(open, plan.firstBound()));
        return steps;
    }

    private List<Step> toConstrain(PartitionLayout layout, Leaf leaf, Instant bound) {
        Boolean isValidated = layout.firstBounds().get(leaf.tableName());
        List<Step> steps = new ArrayList<>();
        if (isValidated == null) {
            steps.add(new Step(
                    "announce the bound of " + leaf.tableName(),
                    false,
                    List.of(statements.addFirstBound(leaf, bound))));
        }
        if (isValidated == null || !isValidated) {
            steps.add(new Step(
                    "look through " + leaf.tableName() + ", while it is in use",
                    true,
                    List.of(statements.validateFirstBound(leaf.tableName()))));
        }
        return steps;
    }

    private Step swap(List<Leaf> open, Instant bound) {
        List<String> sql = new ArrayList<>(List.of(statements.lockTables()));
        open.forEach(leaf -> sql.addAll(statements.bound(leaf, bound)));
        open.forEach(leaf -> sql.add(statements.dropFirstBound(leaf.tableName())));
        sql.add(statements.converted());
        return new Step("bound what had no bound at " + bound, false, sql);
    }

    private Step chooseAnew(PartitionLayout layout, Instant bound) {
        List<String> sql = new ArrayList<>();
        layout.firstBounds().keySet().stream().sorted().forEach(leaf -> sql.add(statements.dropFirstBound(leaf)));
        sql.add(statements.chooseAnew(bound));
        return new Step("the bound came too near while this was interrupted: take " + bound, false, sql);
    }

    /** What makes an interrupted conversion harmless: without it, new tasks would be refused from the coming bound on. */
    List<Step> toSecure(PartitionLayout layout, PartitionPeriod period) {
        return layout.plan()
                .filter(plan -> !plan.isConverted() && !layout.firstBounds().isEmpty() && isTooLate(layout, plan))
                .map(plan -> List.of(chooseAnew(layout, laterBound(layout, period))))
                .orElse(List.of());
    }

    /** The present range and those ahead of it, as far as they are not there. */
    List<Step> toCreateAhead(PartitionLayout layout, PartitionPeriod period) {
        List<Step> steps = new ArrayList<>();
        for (PartitionRange range : creatable(layout, period)) {
            List<PartitionTable> missing = missing(layout, range);
            if (!missing.isEmpty()) {
                steps.add(new Step(
                        "create " + range.name() + ", from " + range.from(), false, create(layout, range, missing)));
            }
        }
        return steps;
    }

    /** Tables in the way of a range that is missing: with them it can't be created, and the others are all the same. */
    List<String> obstacles(PartitionLayout layout, PartitionPeriod period) {
        return rangesAhead(layout, period).stream()
                .filter(range -> !missing(layout, range).isEmpty())
                .flatMap(range -> layout.obstacleOf(range).stream())
                .toList();
    }

    private List<PartitionRange> creatable(PartitionLayout layout, PartitionPeriod period) {
        return rangesAhead(layout, period).stream()
                .filter(range -> layout.obstacleOf(range).isEmpty())
                .toList();
    }

    private static List<PartitionTable> missing(PartitionLayout layout, PartitionRange range) {
        return PartitionTable.ALL.stream()
                .filter(table -> !willHold(layout, table, range.from()))
                .toList();
    }

    private List<PartitionRange> rangesAhead(PartitionLayout layout, PartitionPeriod period) {
        return Stream.iterate(presentRange(layout, period), period::after)
                .limit(ahead + 1L)
                .toList();
    }

    /** Tables that were kept when the clock was ahead come back as they are, with what they hold. */
    private List<String> create(PartitionLayout layout, PartitionRange range, List<PartitionTable> tables) {
        List<String> sql = new ArrayList<>();
        if (layout.isLoose(PartitionTable.OUTCOME, range)) {
            sql.add(statements.addToTotals(range.name()));
        }
        sql.add(statements.forgetRetired(range.name()));
        for (PartitionTable table : tables) {
            if (layout.isLoose(table, range)) {
                sql.add(statements.attach(table, range.name(), range.from(), range.to()));
            } else {
                sql.addAll(statements.create(table, range.name(), range.from(), range.to()));
            }
        }
        return sql;
    }

    /** Also by the leaf that is still open but will end at the first bound. */
    private static boolean willHold(PartitionLayout layout, PartitionTable table, Instant instant) {
        return layout.leavesOf(table).stream()
                .anyMatch(leaf -> leaf.holds(instant)
                        && (!leaf.isOpen()
                                || layout.plan()
                                        .map(plan -> instant.isBefore(plan.firstBound()))
                                        .orElse(true)));
    }

    /** To a last leaf without end; what is there stays until retention takes it. */
    List<Step> toDisable(PartitionLayout layout, PartitionPeriod period) {
        if (layout.plan().isEmpty()) {
            return List.of();
        }
        List<String> sql = new ArrayList<>();
        layout.firstBounds().keySet().stream().sorted().forEach(leaf -> sql.add(statements.dropFirstBound(leaf)));
        for (PartitionTable table : PartitionTable.values()) {
            Instant end = layout.end(table);
            if (!end.equals(Instant.MAX)) {
                String name = "from_" + period.rangeOf(end).name();
                sql.addAll(statements.create(table, name, end, Instant.MAX));
            }
        }
        sql.add(statements.forget());
        return List.of(new Step("one last leaf without end, and no further partitions", false, sql));
    }

    private static PartitionRange presentRange(PartitionLayout layout, PartitionPeriod period) {
        return period.rangeOf(layout.now());
    }

    /** Nothing is in the way of an empty leaf's end now, unless it begins later. */
    private static Instant firstBound(PartitionLayout layout, PartitionPeriod period) {
        return layout.isEmpty()
                ? pastBegins(layout, period, presentRange(layout, period).from())
                : laterBound(layout, period);
    }

    /** The end of the period after the present one: time enough to look through all rows, and to be interrupted. */
    private static Instant laterBound(PartitionLayout layout, PartitionPeriod period) {
        return pastBegins(
                layout, period, period.after(presentRange(layout, period)).to());
    }

    private static Instant pastBegins(PartitionLayout layout, PartitionPeriod period, Instant bound) {
        Instant begin = layout.openLeaves().stream()
                .map(Leaf::from)
                .max(Instant::compareTo)
                .orElse(Instant.MIN);
        return begin.isBefore(bound) ? bound : period.rangeOf(begin).to();
    }

    private static boolean isTooLate(PartitionLayout layout, Plan plan) {
        return plan.firstBound().isBefore(layout.now().plus(BOUND_MARGIN));
    }

    private static PartitionLayout decided(PartitionLayout layout, Plan plan) {
        return new PartitionLayout(
                layout.now(),
                Optional.of(plan),
                layout.leaves(),
                Map.of(),
                layout.isEmpty(),
                layout.looseTables(),
                layout.keptRanges());
    }
}
