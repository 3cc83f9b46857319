package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.BulkResult;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes of many tasks while workers run them and others change them too. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class BulkIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final TaskType<Json> LATER = TaskType.json("later");
    private static final Json NOTHING = Json.of("{}");
    private static final int TASKS = 5_000;

    @RegisterExtension
    static final Database db = Database.named("bulk");

    @Test
    void whatIsCountedIsWhatIsCancelledHoweverTheWorkersHurry() throws Exception {
        List<TaskId> ids = enqueued(TYPE, TASKS);
        try (Worker worker = Database.started(db.worker("w").handle(TYPE, (nothing, context) -> {}))) {
            db.events.await(AttemptSucceeded.class, 10);
            TaskSelection selection =
                    db.sweep.admin().select(TaskFilter.status(TaskStatus.PENDING, TaskStatus.PROCESSING));
            List<TaskId> later = enqueued(TYPE, 100);

            BulkResult result = db.sweep.admin().cancelAll(selection, soFar -> {});

            assertThat(ids).containsAll(selection.ids());
            assertThat(result.total()).isEqualTo(selection.count());
            assertThat(result.busy()).isZero();
            assertThat(result.unchanged().keySet()).isSubsetOf(TaskStatus.SUCCEEDED);
            db.awaitCount(0, "sweep.task_ready");
            db.awaitCount(0, "sweep.task_running");
            assertThat(db.count("sweep.task_outcome where status = 'cancelled'"))
                    .isEqualTo(result.changed());
            assertThat(db.count("sweep.task_outcome where status = 'succeeded'"))
                    .isEqualTo(TASKS + 100 - result.changed());
            assertThat(later).allMatch(id -> db.status(id) == TaskStatus.SUCCEEDED);
        }
    }

    @Test
    void cancelsMovesAndRequeuesOfTheSameTasksAtOnceLoseNone() throws Exception {
        List<TaskId> ids = enqueued(LATER, 2_000);
        TaskSelection selection = TaskSelection.of(ids);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<BulkResult> results = new ArrayList<>();
        try {
            List<Future<BulkResult>> running = List.of(
                    threads.submit(() -> db.sweep.admin().cancelAll(selection, soFar -> {})),
                    threads.submit(() -> db.sweep.admin().reprioritiseAll(selection, 9, soFar -> {})),
                    threads.submit(() -> db.sweep.admin().retryAllNow(selection, soFar -> {})),
                    threads.submit(() -> db.sweep.admin().requeueAll(selection, soFar -> {})));
            for (Future<BulkResult> one : running) {
                results.add(Awaiting.answer(one));
            }
        } finally {
            threads.shutdownNow();
        }
        long requeued = results.get(3).changed();
        assertThat(results).allSatisfy(result -> assertThat(result.total()).isEqualTo(ids.size()));
        assertThat(results.get(0).changed())
                .isEqualTo(ids.size() - results.get(0).busy());
        assertThat(db.count("sweep.task")).isEqualTo(ids.size());
        assertThat(db.count("sweep.task where requeued_from is not null")).isEqualTo(requeued);
        assertThat(db.count("sweep.task_outcome where status = 'cancelled'"))
                .isEqualTo(results.get(0).changed() - requeued);
        assertThat(db.query("select sum(tasks)::bigint from sweep.stat_delta where status = 'cancelled'"))
                .containsExactly(results.get(0).changed() - requeued);
    }

    /** The worker hears of it at once: its next look would come in an hour. */
    @Test
    void movedAndRequeuedTasksWakeWorkers() throws Exception {
        TaskId put =
                db.sweep.enqueue(TYPE.with(NOTHING).delay(Duration.ofDays(1))).id();
        TaskId cancelled = db.sweep.enqueue(TYPE.with(NOTHING)).id();
        db.sweep.cancel(cancelled);
        try (Worker worker = Database.started(db.worker("w")
                .pollInterval(Duration.ofHours(1), Duration.ofHours(1))
                .handle(TYPE, (nothing, context) -> {}))) {
            db.sweep.admin().retryNow(put);
            db.awaitStatus(put, TaskStatus.SUCCEEDED);
            TaskId fresh = db.sweep.admin().requeue(cancelled).requeuedAs().orElseThrow();
            db.awaitStatus(fresh, TaskStatus.SUCCEEDED);
        }
    }

    private static List<TaskId> enqueued(TaskType<Json> type, int number) {
        return db.sweep.enqueueAll(Collections.nCopies(number, type.with(NOTHING))).stream()
                .map(Enqueued::id)
                .toList();
    }
}
