package dev.sweep.maintenance;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jooq.DSLContext;

/**
 * How far this host's clock and the database's are apart. Sweep goes by the database's alone; due times that an application
 * computes by its own clock are off by as much.
 */
final class ClockCheck implements Check {

    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final DoctorStatements statements;
    private final Clock clock;

    ClockCheck(DoctorStatements statements, Clock clock) {
        this.statements = statements;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "clock";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        Instant before = clock.instant();
        Instant there =
                sql.fetchSingle(statements.now()).get(0, OffsetDateTime.class).toInstant();
        Instant after = clock.instant();
        // Only what the round trip can't explain counts.
        Duration skew = there.isBefore(before)
                ? Duration.between(before, there)
                : there.isAfter(after) ? Duration.between(after, there) : Duration.ZERO;
        Map<String, Number> numbers = Map.of("skewMillis", skew.toMillis());
        if (skew.abs().compareTo(LIMIT) > 0) {
            found.warning(
                    "the database's clock is " + skew.abs().toMillis() + " ms "
                            + (skew.isNegative() ? "behind" : "ahead of") + " this host's",
                    "mend time synchronisation; give delays rather than instants, since the database's clock decides",
                    numbers);
        }
        found.otherwise("this host's clock and the database's agree", numbers);
    }
}
