package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.testing.SteppedEngine;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Times are instants of the database's clock, whatever zone a session or a process believes to be in. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class TimesIT {

    /** The night the clocks of New York go forward, and the one they go back. */
    private static final List<Instant> PAST = List.of(
            Instant.parse("2026-03-08T06:59:59Z"),
            Instant.parse("2026-03-08T07:00:00Z"),
            Instant.parse("2026-03-08T07:30:00Z"),
            Instant.parse("2026-11-01T05:30:00Z"),
            Instant.parse("2026-11-01T06:30:00Z"));

    private static final List<Instant> FUTURE = List.of(
            Instant.parse("2099-03-08T06:59:59Z"),
            Instant.parse("2099-03-08T07:30:00Z"),
            Instant.parse("2099-11-01T05:30:00Z"),
            Instant.parse("2099-11-01T06:30:00Z"));

    @RegisterExtension
    static final Database db = Database.named("times");

    /** Case B88. */
    @Test
    void tasksAreDueAtTheirInstantForProcessesAndSessionsOfAnyZone() throws Exception {
        List<TaskId> due = new ArrayList<>();
        List<TaskId> notYet = new ArrayList<>();
        try (Connection newYork = db.transaction()) {
            db.execute(newYork, "set local time zone 'America/New_York'");
            for (Instant at : PAST) {
                due.add(db.sweep
                        .enqueue(newYork, Errands.QUICK.with(Errands.NOTHING).dueAt(at))
                        .id());
                due.add(enqueueBySql(newYork, at));
            }
            for (Instant at : FUTURE) {
                notYet.add(db.sweep
                        .enqueue(newYork, Errands.QUICK.with(Errands.NOTHING).dueAt(at))
                        .id());
                notYet.add(enqueueBySql(newYork, at));
            }
            newYork.commit();
        }
        try (WorkerProcess kolkata = WorkerProcess.of(db, "kolkata")
                .jvmOption("-Duser.timezone=Asia/Kolkata")
                .start(Errands.QUICK)) {
            due.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            kolkata.stop();
        }
        assertThat(db.count("sweep.fx")).isEqualTo(due.size());
        for (int i = 0; i < due.size(); i++) {
            assertThat(db.task(due.get(i)).dueAt()).isEqualTo(PAST.get(i / 2));
        }
        for (int i = 0; i < notYet.size(); i++) {
            assertThat(db.task(notYet.get(i)).dueAt()).isEqualTo(FUTURE.get(i / 2));
            assertThat(db.status(notYet.get(i))).isEqualTo(TaskStatus.PENDING);
        }
        assertThat(db.query(
                        "select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = attrelid"
                                + " join pg_namespace n on n.oid = relnamespace where nspname = '" + db.schema
                                + "' and atttypid = 'timestamp'::regtype and relname <> 'sweep_schema_history'"))
                .as("columns without a time zone, but Flyway's own")
                .isEmpty();
    }

    private static TaskId enqueueBySql(Connection session, Instant dueAt) throws Exception {
        return TaskId.of((Long) db.query(session, "select sweep.enqueue_task('quick', '{}', due_at => '" + dueAt + "')")
                .get(0));
    }

    /** Case B87: microseconds in, the same microseconds out; an attempt is fenced by its lease, not by a time. */
    @Test
    void theTimesReturnedAreTheStoredOnes() throws Exception {
        Instant dueAt = Instant.parse("2026-03-08T23:59:59.9999999Z");
        TaskId id = db.sweep
                .enqueue(Errands.QUICK.with(Errands.NOTHING).dueAt(dueAt))
                .id();
        sameAsStored(id);
        try (WorkerProcess worker = WorkerProcess.of(db, "w").start(Errands.QUICK)) {
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
            worker.stop();
        }
        sameAsStored(id);
        assertThat(db.task(id).dueAt()).isEqualTo(Instant.parse("2026-03-08T23:59:59.999999Z"));
        assertThat(db.task(id).finishedAt()).isPresent();
    }

    /** Case B87: also after every other move. */
    @Test
    void theTimesAreTheStoredOnesAfterFailureSnoozeAndCancel() {
        TaskType<Json> type = TaskType.json("moved");
        TaskId snoozed = db.sweep.enqueue(type.with(Json.of("\"snoozed\""))).id();
        TaskId retried = db.sweep.enqueue(type.with(Json.of("\"retried\""))).id();
        TaskId failed =
                db.sweep.enqueue(type.with(Json.of("\"failed\"")).maxRetries(0)).id();
        SteppedEngine.of(db.sweep)
                .handleForOutcome(type, (payload, context) -> {
                    if (payload.text().contains("snoozed")) {
                        return Outcome.snooze(Duration.ofHours(1).plusNanos(1_999));
                    }
                    throw new IllegalStateException("broken");
                })
                .drain()
                .hasRun(3)
                .hasFailures(2);

        List.of(snoozed, retried, failed).forEach(TimesIT::sameAsStored);
        db.sweep.cancel(snoozed);
        db.sweep.cancel(retried);
        List.of(snoozed, retried, failed).forEach(TimesIT::sameAsStored);
        assertThat(db.status(retried)).isEqualTo(TaskStatus.CANCELLED);
    }

    private static void sameAsStored(TaskId id) {
        Task task = db.task(id);
        assertThat(stored("created_at", id)).contains(task.createdAt());
        assertThat(stored("due_at", id)).contains(task.dueAt());
        assertThat(stored("started_at", id)).isEqualTo(task.startedAt());
        assertThat(stored("finished_at", id)).isEqualTo(task.finishedAt());
    }

    private static Optional<Instant> stored(String column, TaskId id) {
        return db
                .query("select to_char(" + column + " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                        + " from sweep.tasks where id = " + id)
                .stream()
                .flatMap(value -> Optional.ofNullable(value).stream())
                .map(value -> OffsetDateTime.parse(value.toString()).toInstant())
                .findFirst();
    }
}
