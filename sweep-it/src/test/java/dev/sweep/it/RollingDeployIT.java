package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Enqueued;
import dev.sweep.InvalidConfigurationException;
import dev.sweep.Json;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers of an older release beside newer ones: nobody touches a task of a type it does not know. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class RollingDeployIT {

    private static final TaskType<Json> KNOWN = TaskType.json("known");
    private static final Json NOTHING = Json.of("{}");

    @RegisterExtension
    static final Database db = Database.named("rolling_deploy");

    /** Case B16. */
    @Test
    void tasksOfAnUnknownTypeWaitUntouchedAndDelayNobody() throws Exception {
        TaskType<Json> unknown = TaskType.json("unknown").priority(10).maxRetries(0);
        List<TaskId> waiting = enqueue(unknown);
        List<TaskId> known = enqueue(KNOWN);
        try (Worker old = Database.started(db.worker("old").handle(KNOWN, (nothing, context) -> {}))) {
            known.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            assertThat(old.awaitIdle(Duration.ofSeconds(60))).isTrue();
            assertThat(waiting).map(db::task).allSatisfy(task -> {
                assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
                assertThat(task.retryCount()).isZero();
                assertThat(task.error()).isEmpty();
                assertThat(task.startedAt()).isEmpty();
            });
            try (Worker upgraded = Database.started(db.worker("new").handle(unknown, (nothing, context) -> {}))) {
                waiting.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            }
        }
        assertThat(db.events.of(AttemptStarted.class))
                .extracting(event -> event.run().id())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(known.stream(), waiting.stream()).toList());
    }

    /** Case B16. */
    @Test
    void aWorkerWithoutHandlersIsRefused() {
        assertThatThrownBy(() -> db.worker("idle").build())
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("there is no handler; register at least one");
    }

    /** Case B17, part 1. */
    @Test
    void aWorkerTakesBackWhatItCanNotRunWithoutJudgingIt() throws Exception {
        List<TaskId> tasks = IntStream.range(0, 3)
                .mapToObj(i -> db.sweep.enqueue(Errands.HOLD.with(NOTHING).maxRetries(1)))
                .map(Enqueued::id)
                .toList();
        try (WorkerProcess doomed = WorkerProcess.of(db, "doomed").start(Errands.HOLD)) {
            tasks.forEach(id -> doomed.awaitRunning(Errands.HOLD, id));
            doomed.kill();
        }
        try (Worker other = Database.started(db.reclaimingWorker("other").handle(KNOWN, (nothing, context) -> {}))) {
            tasks.forEach(id -> db.awaitStatus(id, TaskStatus.PENDING));
            assertThat(tasks).map(db::task).extracting(Task::losses).containsOnly(1);
            assertThat(tasks).map(db::task).extracting(Task::retryCount).containsOnly(0);
            try (Worker next =
                    Database.started(db.reclaimingWorker("next").handle(Errands.HOLD, (nothing, context) -> {}))) {
                tasks.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            }
        }
        assertThat(db.query("select distinct message from sweep.task_failure"))
                .hasSize(1)
                .first()
                .asString()
                .contains("worker doomed-")
                .contains("was lost while it ran this task");
    }

    private static List<TaskId> enqueue(TaskType<Json> type) {
        return db
                .sweep
                .enqueueAll(
                        IntStream.range(0, 5).mapToObj(i -> type.with(NOTHING)).toList())
                .stream()
                .map(Enqueued::id)
                .toList();
    }
}
