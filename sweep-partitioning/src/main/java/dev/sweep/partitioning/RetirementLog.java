package dev.sweep.partitioning;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** What {@code partition_retired} knows. Each method within the caller's transaction. */
final class RetirementLog {

    private final RetirementStatements statements;

    RetirementLog(RetirementStatements statements) {
        this.statements = statements;
    }

    List<Retirement> all(DSLContext sql) {
        return sql.fetch(statements.retirements()).map(RetirementLog::retirementOf);
    }

    /** Those that have not come to their end, oldest first. */
    List<Retirement> open(DSLContext sql) {
        return all(sql).stream().filter(row -> !row.stage().isFinal()).toList();
    }

    Optional<Retirement> find(DSLContext sql, String name) {
        return all(sql).stream().filter(row -> row.name().equals(name)).findFirst();
    }

    /** Begins a retirement; does nothing if one is under way. */
    void begin(DSLContext sql, PartitionRange range, RetirementStage stage, String note) {
        sql.execute(statements.choose(), range.name(), text(range.from()), text(range.to()), stage.word(), note);
    }

    /** Answers whether it was at that stage; nothing is changed if not. */
    boolean move(DSLContext sql, Retirement from, RetirementStage to, @Nullable String note) {
        return sql.execute(
                        statements.move(),
                        to.word(),
                        note,
                        from.name(),
                        from.stage().word())
                == 1;
    }

    /** Ends a retirement that gave its range back; one that was taken off the totals before stays known for that. */
    void forget(DSLContext sql, Retirement returned) {
        if (returned.tasks() == null) {
            sql.execute(statements.forget(), returned.name());
        } else {
            move(sql, returned, RetirementStage.DROPPED, null);
        }
    }

    /** As PostgreSQL writes an instant. */
    static String text(Instant instant) {
        if (instant.equals(Instant.MIN)) {
            return "-infinity";
        }
        return instant.equals(Instant.MAX) ? "infinity" : instant.toString();
    }

    /** The other way round. */
    static Instant instant(String text) {
        return switch (text) {
            case "-infinity" -> Instant.MIN;
            case "infinity" -> Instant.MAX;
            default -> Instant.parse(text);
        };
    }

    private static Retirement retirementOf(Record row) {
        OffsetDateTime lower = row.get("lower_at", OffsetDateTime.class);
        OffsetDateTime upper = row.get("upper_at", OffsetDateTime.class);
        return new Retirement(
                new PartitionRange(
                        row.get("name", String.class),
                        lower == null ? Instant.MIN : lower.toInstant(),
                        upper == null ? Instant.MAX : upper.toInstant()),
                RetirementStage.of(row.get("stage", String.class)),
                row.get("position", Long.class),
                row.get("tasks", Long.class));
    }
}
