package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.InvalidTaskException;
import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B14: what is urgent starts first, however it came to wait. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class UrgencyIT {

    private static final TaskType<Json> GATE = TaskType.json("gate").priority(5);
    private static final TaskType<Json> LOW = TaskType.json("low").priority(5);
    private static final TaskType<Json> RETRIED = TaskType.json("retried").priority(10);
    private static final TaskType<Json> LOST = TaskType.json("lost").priority(10);
    private static final TaskType<Json> NEW = TaskType.json("new").priority(10);
    private static final Json NOTHING = Json.of("{}");

    @RegisterExtension
    static final Database db = Database.named("urgency");

    @Test
    void urgentTasksStartBeforeTheRestOfALongQueueWhetherNewRetriedOrReclaimed() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        TaskId retried = db.sweep.enqueue(RETRIED.with(NOTHING)).id();
        try (Worker failing = Database.started(db.worker("failing")
                .handleForOutcome(RETRIED, (nothing, context) -> Outcome.retryAfter(Duration.ofSeconds(1), "later")))) {
            db.events.await(TaskEvent.OutcomesRecorded.class, 1);
        }
        db.sweep.enqueue(GATE.with(NOTHING));
        try (Worker worker = Database.started(db.reclaimingWorker("w")
                .queue("default", 1)
                .batch(5, 5)
                .handle(GATE, (nothing, context) -> Awaiting.opened(open))
                .handle(LOW, (nothing, context) -> {})
                .handle(RETRIED, (nothing, context) -> {})
                .handle(LOST, (nothing, context) -> {})
                .handle(NEW, (nothing, context) -> {}))) {
            db.awaitCount(1, "sweep.task_running where type = 'gate'");
            List<TaskId> low =
                    db
                            .sweep
                            .enqueueAll(IntStream.range(0, 30)
                                    .mapToObj(i -> LOW.with(NOTHING))
                                    .toList())
                            .stream()
                            .map(answer -> answer.id())
                            .toList();
            TaskId lost = db.sweep.enqueue(LOST.with(NOTHING)).id();
            assertThat(db.claimAndVanish("lost", 1).tasks()).hasSize(1);
            TaskId fresh = db.sweep.enqueue(NEW.with(NOTHING)).id();
            db.awaitCount(3, "sweep.task_ready where rank = 0 and due_at <= clock_timestamp()");
            assertThat(db.count("sweep.task_running"))
                    .as("claimed before the urgent ones could be")
                    .isEqualTo(1);
            open.countDown();
            db.awaitCount(34, "sweep.task_outcome");

            List<TaskId> started = db.events.of(AttemptStarted.class).stream()
                    .filter(event -> event.worker().startsWith("w-"))
                    .map(event -> event.run().id())
                    .toList();
            assertThat(started.subList(1, 4)).containsExactlyInAnyOrder(retried, lost, fresh);
            assertThat(started.subList(4, 34))
                    .as("within a priority: by due time, then id")
                    .isEqualTo(low);
        }
    }

    @Test
    void tenIsTheMostUrgentInJavaAndInSql() {
        TaskId sql1 = db.enqueueBySql("'low', '{}', priority => 1");
        TaskId java10 = db.sweep.enqueue(LOW.with(NOTHING).priority(10)).id();
        TaskId sql10 = db.enqueueBySql("'low', '{}', priority => 10");
        TaskId java2 = db.sweep.enqueue(LOW.with(NOTHING).priority(2)).id();
        try (Worker worker = Database.started(
                db.worker("w").queue("default", 1).batch(1, 1).handle(LOW, (nothing, context) -> {}))) {
            db.awaitCount(4, "sweep.task_outcome");
        }
        assertThat(db.events.of(AttemptStarted.class))
                .extracting(event -> event.run().id())
                .containsExactly(java10, sql10, java2, sql1);
    }

    @Test
    void aPriorityOffTheScaleIsRefusedWithItsBoundsInJavaAndInSql() {
        for (int priority : new int[] {0, 11, -1}) {
            assertThatThrownBy(() -> LOW.with(NOTHING).priority(priority))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageContaining("priority " + priority + " is out of range; use 1 to 10")
                    .hasMessageContaining("10 is the most urgent");
            assertThatThrownBy(() -> db.enqueueBySql("'low', '{}', priority => " + priority))
                    .hasMessageContaining("priority " + priority + " is out of range; use 1 to 10")
                    .hasMessageContaining("10 is the most urgent");
        }
        assertThat(db.count("sweep.task")).isZero();
    }
}
