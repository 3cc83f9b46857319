package dev.sweep.partitioning;

import dev.sweep.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Says whether a range may go: past the retention by the database's clock, and every task in it finished that long ago. The
 * same words before its tables are detached and after.
 */
final class RangeJudge {

    private final RetirementStatements statements;
    private final Duration finishedFor;

    RangeJudge(RetirementStatements statements, Duration finishedFor) {
        this.statements = statements;
        this.finishedFor = finishedFor;
    }

    /** Whether all of it lies that long in the past. A leaf without an upper bound never does. */
    boolean isPast(DSLContext sql, PartitionRange range) {
        return sql.fetchSingle(statements.isPast(), RetirementLog.text(range.to()), micros())
                .get(0, Boolean.class);
    }

    /** A cheap look at the live tables alone, right before something is hidden. */
    Optional<StayingRange> lookBriefly(DSLContext sql, PartitionRange range) {
        if (!isPast(sql, range)) {
            return Optional.of(new StayingRange(range.name(), "it is not past the retention", List.of()));
        }
        List<Straggler> stragglers = live(sql, range);
        return stragglers.isEmpty()
                ? Optional.empty()
                : Optional.of(new StayingRange(range.name(), why(stragglers), stragglers));
    }

    /** Why it stays; empty if it may go. Each look is a statement, at READ COMMITTED. */
    Optional<StayingRange> judge(DSLContext sql, PartitionRange range) {
        Optional<StayingRange> live = lookBriefly(sql, range);
        if (live.isPresent()) {
            return live;
        }
        IdBounds ids = IdBounds.of(range);
        List<Straggler> stragglers = sql.fetch(
                        statements.unsettled(range.name()), ids.from(), ids.to(), ids.from(), ids.to(), micros())
                .map(RangeJudge::stragglerOf);
        return stragglers.isEmpty()
                ? Optional.empty()
                : Optional.of(new StayingRange(range.name(), why(stragglers), stragglers));
    }

    private List<Straggler> live(DSLContext sql, PartitionRange range) {
        IdBounds ids = IdBounds.of(range);
        return sql.fetch(statements.live(), ids.from(), ids.to(), ids.from(), ids.to())
                .map(RangeJudge::stragglerOf);
    }

    private long micros() {
        return finishedFor.toNanos() / 1000;
    }

    private static Straggler stragglerOf(Record row) {
        return new Straggler(
                TaskId.of(row.get("id", Long.class)),
                Straggler.Place.valueOf(row.get("place", String.class).toUpperCase(Locale.ROOT)));
    }

    private static String why(List<Straggler> stragglers) {
        return "not all of its tasks are finished long enough: "
                + stragglers.stream()
                        .limit(RetirementStatements.MOST_STRAGGLERS)
                        .map(Straggler::toString)
                        .collect(Collectors.joining(", "));
    }
}
