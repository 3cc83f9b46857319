package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * What came of the chores' runs, in the table {@code maintenance_chore}; each call is one transaction. A run writes on behalf
 * of the leader, or of a person beside the leader: then both count, and the position of whoever came first stays.
 */
final class ChoreBook {

    /** Whether the run that wants to write may still do so; asked within the transaction. */
    @FunctionalInterface
    interface Right {

        boolean isHeld(DSLContext sql);
    }

    /**
     * What a run starts from.
     *
     * @param runs how many had ended before
     */
    record Start(Instant now, Optional<String> position, long runs) {}

    /** How soon a chore is due; not positive: it is. */
    record Due(String name, Duration in) {}

    private final StoreDatabase database;
    private final MaintenanceStatements statements;

    ChoreBook(StoreDatabase database, MaintenanceStatements statements) {
        this.database = database;
        this.statements = statements;
    }

    /** Makes rows for those that have none. */
    void enlist(Collection<String> names) {
        database.inTransaction(
                Limits.OF_ROWS, sql -> sql.execute(statements.enlist(), (Object) names.toArray(String[]::new)));
    }

    /** Soonest first; those that have no row are missing. */
    List<Due> agenda(Collection<ScheduledChore> chores) {
        String[] names = chores.stream().map(ScheduledChore::name).toArray(String[]::new);
        Long[] longest =
                chores.stream().map(chore -> micros(chore.longestWait())).toArray(Long[]::new);
        return database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.fetch(statements.agenda(), names, longest)
                        .map(row -> new Due(row.get("name", String.class), ofMicros(row.get("due_in", Long.class)))));
    }

    /** Empty: the right is gone. */
    Optional<Start> start(String name, Right right) {
        return database.inTransaction(Limits.OF_ROWS, sql -> {
            if (!right.isHeld(sql)) {
                return Optional.empty();
            }
            Record row = sql.fetchSingle(statements.startChore(), name);
            return Optional.of(new Start(
                    instant(row, "started_at").orElseThrow(),
                    Optional.ofNullable(row.get("position", String.class)),
                    row.get("runs", Long.class)));
        });
    }

    /** Returns whether it was written: not if the right is gone. */
    boolean succeeded(String name, Start start, Duration took, ChoreResult result, Duration dueIn, Right right) {
        return database.inTransaction(
                Limits.OF_ROWS,
                sql -> right.isHeld(sql)
                        && sql.execute(
                                        statements.choreSucceeded(),
                                        micros(took),
                                        result.rows(),
                                        result.rows(),
                                        result.note().orElse(null),
                                        micros(dueIn),
                                        start.runs(),
                                        result.position().orElse(null),
                                        name)
                                > 0);
    }

    /** Returns whether it was written: not if the right is gone. */
    boolean failed(String name, Duration took, String error, FailurePace pace, Right right) {
        return database.inTransaction(
                Limits.OF_ROWS,
                sql -> right.isHeld(sql)
                        && sql.execute(
                                        statements.choreFailed(),
                                        micros(took),
                                        error,
                                        micros(pace.first()),
                                        micros(pace.longest()),
                                        name)
                                > 0);
    }

    /** By name. */
    List<ChoreState> states() {
        return database.inTransaction(
                Limits.OF_ROWS, sql -> sql.fetch(statements.chores()).map(ChoreBook::stateOf));
    }

    private static ChoreState stateOf(Record row) {
        return new ChoreState(
                row.get("name", String.class),
                instant(row, "due_at"),
                instant(row, "started_at"),
                instant(row, "succeeded_at"),
                Optional.ofNullable(row.get("took_micros", Long.class)).map(ChoreBook::ofMicros),
                row.get("rows", Long.class),
                row.get("total_rows", Long.class),
                row.get("runs", Long.class),
                row.get("failures", Integer.class),
                Optional.ofNullable(row.get("error", String.class)),
                Optional.ofNullable(row.get("note", String.class)));
    }

    private static Optional<Instant> instant(Record row, String column) {
        @Nullable OffsetDateTime time = row.get(column, OffsetDateTime.class);
        return Optional.ofNullable(time).map(OffsetDateTime::toInstant);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static Duration ofMicros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }
}
