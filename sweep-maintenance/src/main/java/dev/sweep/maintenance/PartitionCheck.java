package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** How many periods are created ahead of the database's clock, and whether the partitions are as they should be. */
final class PartitionCheck implements Check {

    private static final int FEW = 2;
    private static final int TOO_FEW = 1;
    private static final long HOURS_BEFORE_DEADLINE = 24;

    private final DoctorStatements statements;

    PartitionCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        sql.execute(statements.plainDates());
        unexpected(sql, found);
        Record plan = sql.fetchOne(statements.partitionPlan());
        if (plan == null) {
            found.otherwise("partitions are off", Map.of());
            return;
        }
        if (plan.get("is_converted", Boolean.class)) {
            runway(sql.fetchSingle(statements.runway()), plan.get("period", String.class), found);
        } else {
            conversion(plan, found);
        }
    }

    private void unexpected(DSLContext sql, Findings found) {
        for (Record leaf : sql.fetch(statements.unexpectedLeaves())) {
            String name = leaf.get("leaf", String.class);
            if (leaf.get("is_default", Boolean.class)) {
                found.warning(
                        name
                                + " is a default partition: no concurrent detach works beside it, and each new partition scans"
                                + " it",
                        "move its rows out, detach and drop it",
                        Map.of());
            } else {
                found.warning(
                        "the detach of " + name + " was interrupted: its rows are invisible, and no other can begin",
                        "run sweep maintain --once: retention finishes it and attaches again what is live; ending it by hand"
                                + " hides live tasks",
                        Map.of());
            }
        }
        for (Record sister : sql.fetch(statements.looseSisters())) {
            found.fault(
                    sister.get("loose", String.class)
                            + " was detached by hand, while other tables of its range are attached: what is live in it is not"
                            + " to be seen",
                    "run sweep maintain --once: retention attaches it again, and what lost its place waits again",
                    Map.of());
        }
    }

    private static void conversion(Record plan, Findings found) {
        long hours = plan.get("hours_left", Long.class);
        String what = "the conversion to partitions is not finished; it must be by "
                + plan.get("first_bound", String.class) + " UTC, in " + hours + " h, when the old partition ends";
        String remedy = "run sweep partitions on again: it goes on where it stopped";
        Map<String, Number> numbers = Map.of("hoursLeft", hours);
        if (hours < HOURS_BEFORE_DEADLINE) {
            found.fault(what, remedy, numbers);
        } else {
            found.warning(what, remedy, numbers);
        }
    }

    private static void runway(Record runway, String period, Findings found) {
        long periods = runway.get("periods", Long.class);
        Long seconds = runway.get("seconds", Long.class);
        if (seconds == null) {
            found.otherwise("the last partition has no end yet", Map.of());
            return;
        }
        Map<String, Number> numbers = Map.of("periodsAhead", periods, "secondsAhead", seconds);
        String what = periods < 0
                ? "no partition holds the present time: nothing can be enqueued"
                : "partitions are created " + periods + " " + period + "s ahead, until "
                        + runway.get("until_at", String.class) + " UTC";
        String remedy =
                "run sweep partitions ahead, and see to it that maintenance runs; without a partition nothing can be"
                        + " enqueued";
        if (periods < TOO_FEW) {
            found.fault(what, remedy, numbers);
        } else if (periods < FEW) {
            found.warning(what, remedy, numbers);
        } else {
            found.otherwise(what, numbers);
        }
    }
}
