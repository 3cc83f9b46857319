package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Due;
import dev.sweep.Json;
import dev.sweep.TaskAdmin;
import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the table of docs/concepts.md about changes by hand against the store: each status, each change, from Java and SQL. */
class ChangesTableIT {

    private static final List<String> CHANGES = List.of("cancel", "requeue", "delete", "reprioritise", "reschedule");
    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    @RegisterExtension
    static final Database db = Database.named("changes_table");

    static Stream<Arguments> cells() {
        return DocPage.read("docs/concepts.md")
                .table("| a task that is | `cancel` | `requeue` | `delete` | `reprioritise` | `reschedule` |")
                .stream()
                .flatMap(row -> CHANGES.stream()
                        .map(change -> Arguments.of(row.get(0), change, row.get(CHANGES.indexOf(change) + 1))));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void javaAnswersAsTheTableSaysAndTheSecondTimeNothingChanges(String status, String change, String cell) {
        TaskId id = task(status);

        TaskChange first = changed(id, change);
        List<Object> places = places();
        TaskChange second = changed(id, change);

        assertThat(cellOf(first)).isEqualTo(cell);
        assertThat(second.kind())
                .isIn(
                        first.kind(),
                        TaskChange.Kind.UNCHANGED,
                        TaskChange.Kind.REQUEUED_BEFORE,
                        TaskChange.Kind.NO_SUCH_TASK);
        assertThat(second.kind() == TaskChange.Kind.CHANGED).isEqualTo(cell.equals("moved"));
        assertThat(places()).isEqualTo(places);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void sqlAnswersAsTheTableSays(String status, String change, String cell) {
        TaskId id = task(status);
        Object before = bySql(id, "tell");

        Object answer = bySql(id, change);

        switch (cell) {
            case "cancelled" -> assertThat(answer).isEqualTo("cancelled");
            case "moved" -> assertThat(answer).isEqualTo("pending");
            case "deleted" -> assertThat(answer).isEqualTo(true);
            case "not found" -> assertThat(answer).isNull();
            case "new task" -> assertThat((Long) answer).isGreaterThan(id.value());
            case "the same new task" -> assertThat(answer).isEqualTo(bySql(id, change));
            case "left alone" ->
                assertThat(answer).isEqualTo(List.of("requeue", "delete").contains(change) ? "SW002" : before);
            default -> throw new AssertionError("the table has a word that is not known here: " + cell);
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    void fourAtOnceChangeATaskOnce(String status, String change, String cell) throws Exception {
        TaskId id = task(status);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<TaskChange> answers = new ArrayList<>();
        try {
            List<Future<TaskChange>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                running.add(threads.submit(() -> changed(id, change)));
            }
            for (Future<TaskChange> one : running) {
                answers.add(Awaiting.answer(one));
            }
        } finally {
            threads.shutdownNow();
        }
        long done = answers.stream()
                .filter(answer -> answer.kind() == TaskChange.Kind.CHANGED)
                .count();
        switch (cell) {
            case "cancelled", "new task", "deleted" -> assertThat(done).isEqualTo(1);
            case "moved" -> assertThat(done).isEqualTo(4);
            default -> assertThat(done).isZero();
        }
        assertThat(db.count("sweep.tasks")).isEqualTo(status.equals("unknown") || cell.equals("deleted") ? 0 : 1);
    }

    private static String cellOf(TaskChange change) {
        return switch (change.kind()) {
            case CHANGED -> cellOf(change.status(), change.requeuedAs());
            case REQUEUED_BEFORE -> "the same new task";
            case UNCHANGED -> "left alone";
            case NO_SUCH_TASK -> "not found";
            case BUSY -> "busy";
        };
    }

    private static String cellOf(Optional<TaskStatus> now, Optional<TaskId> requeuedAs) {
        if (now.isEmpty()) {
            return "deleted";
        }
        return requeuedAs.isPresent() ? "new task" : now.get() == TaskStatus.CANCELLED ? "cancelled" : "moved";
    }

    private static TaskChange changed(TaskId id, String change) {
        TaskAdmin admin = db.sweep.admin();
        return switch (change) {
            case "cancel" -> admin.cancel(id);
            case "requeue" -> admin.requeue(id);
            case "delete" -> admin.delete(id);
            case "reprioritise" -> admin.reprioritise(id, 9);
            default -> admin.reschedule(id, FAR);
        };
    }

    /** The answer, or the SQLSTATE. */
    private static Object bySql(TaskId id, String change) {
        String call = switch (change) {
            case "cancel" -> "sweep.cancel_task(" + id + ")";
            case "requeue" -> "sweep.requeue_task(" + id + ")";
            case "delete" -> "sweep.delete_dead_letter(" + id + ")";
            case "reprioritise" -> "sweep.reprioritise_task(" + id + ", 9)";
            case "reschedule" -> "sweep.reschedule_task(" + id + ", '" + FAR + "')";
            default -> "(select status from sweep.tasks where id = " + id + ")";
        };
        try {
            return db.query("select " + call).get(0);
        } catch (IllegalStateException e) {
            return ((SQLException) e.getCause()).getSQLState();
        }
    }

    /** All rows that say where tasks are. */
    private static List<Object> places() {
        return db.query("select json_agg(r order by id)::text from sweep.task_ready r"
                + " union all select json_agg(r order by id)::text from sweep.task_running r"
                + " union all select json_agg(o order by id)::text from sweep.task_outcome o"
                + " union all select json_agg(d order by id)::text from sweep.dead_letter d");
    }

    private static TaskId task(String status) {
        if (status.equals("unknown")) {
            return TaskId.of(1);
        }
        TaskId id = db.sweep.enqueue(TYPE.with(Json.of("{}"))).id();
        switch (status) {
            case "pending" -> {}
            case "processing" -> claimed();
            case "succeeded" ->
                db.store.complete(List.of(new Completion(claimed().attempt(), Duration.ZERO)));
            case "failed" ->
                db.store.fail(List.of(new Failure(claimed().attempt(), Duration.ZERO, (Due) null, "e", "broken")));
            case "failed and moved" -> {
                db.store.fail(List.of(new Failure(claimed().attempt(), Duration.ZERO, (Due) null, "e", "broken")));
                db.query("select sweep.move_dead_letters(null, 1)");
            }
            case "cancelled" -> db.sweep.cancel(id);
            case "requeued before" -> {
                db.sweep.cancel(id);
                db.sweep.admin().requeue(id);
            }
            default -> throw new AssertionError("the table has a status that is not known here: " + status);
        }
        return id;
    }

    private static ClaimedTask claimed() {
        return db.store
                .claim(new ClaimRequest("w", Set.of("t"), Map.of("default", 1), 0, Duration.ofHours(1), true))
                .tasks()
                .get(0);
    }
}
