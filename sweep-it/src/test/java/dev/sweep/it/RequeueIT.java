package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.BulkResult;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Outcome;
import dev.sweep.TaskChange;
import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B93: however often and by whomever a task is requeued, there is one more run at most. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class RequeueIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final Json NOTHING = Json.of("{}");

    @RegisterExtension
    static final Database db = Database.named("requeue");

    @Test
    void javaAndSqlAtOnceMakeOneTaskWhichRunsOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (Worker worker = Database.started(db.worker("w").handle(TYPE, (nothing, context) -> {}))) {
            for (int round = 0; round < 20; round++) {
                TaskId old = cancelled(TYPE.with(NOTHING).delay(Duration.ofDays(1)));
                Callable<TaskId> byJava =
                        () -> db.sweep.admin().requeue(old).requeuedAs().orElseThrow();
                Callable<TaskId> bySql = () -> requeuedBySql(old);
                List<Future<TaskId>> answers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    answers.add(threads.submit(byJava));
                    answers.add(threads.submit(bySql));
                }
                TaskId fresh = Awaiting.answer(answers.get(0));
                for (Future<TaskId> answer : answers) {
                    assertThat(Awaiting.answer(answer)).isEqualTo(fresh);
                }
                db.awaitStatus(fresh, TaskStatus.SUCCEEDED);
                assertThat(db.sweep.admin().requeue(old)).isEqualTo(TaskChange.requeuedBefore(old, fresh));
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(db.events.of(AttemptStarted.class)).hasSize(20);
        assertThat(db.count("sweep.task")).isEqualTo(20);
    }

    /** Presses on tasks that fail and come back all the time, so that their status changes under the hand. */
    @Test
    void requeuesOfTasksThatFailAllTheTimeAddOneRunEach() throws Exception {
        int tasks = 30;
        for (int i = 0; i < tasks; i++) {
            db.sweep.enqueue(TYPE.with(NOTHING));
        }
        ExecutorService threads = Executors.newFixedThreadPool(3);
        long requeued = 0;
        try (Worker worker =
                Database.started(db.worker("w").handleForOutcome(TYPE, (nothing, context) -> Outcome.fail("broken")))) {
            List<Future<Long>> pressing = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                pressing.add(threads.submit(RequeueIT::pressedForAWhile));
            }
            for (Future<Long> one : pressing) {
                requeued += Awaiting.answer(one);
            }
            db.awaitCount(tasks, "sweep.task_outcome where status = 'failed'");
        } finally {
            threads.shutdownNow();
        }
        assertThat(requeued).isGreaterThan(tasks);
        assertThat(db.events.of(AttemptStarted.class)).hasSize((int) (tasks + requeued));
        assertThat(db.count("sweep.task")).isEqualTo(tasks);
        assertThat(db.query("select count from sweep.task_stats where status = 'failed'"))
                .containsExactly((long) tasks);
        assertThat(db.query("select max(n) from (select count(*) as n from sweep.task_failure group by id) f"))
                .allSatisfy(most -> assertThat((Long) most).isLessThanOrEqualTo(101));
    }

    @Test
    void sqlSaysWhichTasksCanNotBeRequeued() {
        TaskId pending = db.sweep.enqueue(TYPE.with(NOTHING)).id();

        assertThatThrownBy(() -> requeuedBySql(pending))
                .hasMessageContaining(
                        "task " + pending + " is pending; only failed and cancelled tasks can be requeued")
                .rootCause()
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("SW002"));
        assertThat(db.query("select sweep.requeue_task(1)")).containsExactly((Object) null);
    }

    @Test
    void sqlRequeueIsPartOfItsTransaction() throws Exception {
        TaskId old = cancelled(TYPE.with(NOTHING));
        try (Connection tx = db.transaction()) {
            db.query(tx, "select sweep.requeue_task(" + old + ")");
            tx.rollback();
        }
        assertThat(db.status(old)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(db.count("sweep.task_ready")).isZero();
    }

    /** Case B10: an enqueue that waits for a requeue's key is told of the new task. */
    @Test
    void whoWaitsForTheKeyOfATaskThatIsRequeuedGetsTheNewTask() throws Exception {
        NewTask<Json> keyed = TYPE.with(NOTHING).dedupKey("K");
        TaskId old = cancelled(keyed);
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try (Connection tx = db.transaction()) {
            Object fresh =
                    db.query(tx, "select sweep.requeue_task(" + old + ")").get(0);
            Future<Enqueued> waiting = threads.submit(() -> db.sweep.enqueue(keyed));
            db.awaitCount(
                    1,
                    "pg_stat_activity where wait_event_type = 'Lock' and query like '%" + db.schema + "%enqueue_one%'");
            tx.commit();
            assertThat(Awaiting.answer(waiting)).isEqualTo(new Enqueued(TaskId.of((Long) fresh), false));
        } finally {
            threads.shutdownNow();
        }
    }

    /** A requeue of many is not held up by the one whose key someone holds. */
    @Test
    void taskWhoseKeyIsHeldIsBusyAndTheOthersAreRequeued() throws Exception {
        List<TaskId> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(cancelled(TYPE.with(NOTHING).dedupKey("K" + i)));
        }
        TaskSelection selection = db.sweep.admin().select(TaskFilter.status(TaskStatus.CANCELLED));
        assertThat(selection.ids()).containsExactlyElementsOf(ids);
        try (Connection holder = db.transaction()) {
            db.execute(holder, "select from sweep.task_key where key = 'K7' for update");

            assertThat(db.sweep.admin().requeueAll(selection, soFar -> {}))
                    .isEqualTo(new BulkResult(19, Map.of(), 0, 0, 1));
            holder.rollback();
        }
        assertThat(db.sweep.admin().requeueAll(selection, soFar -> {}))
                .isEqualTo(new BulkResult(1, Map.of(), 19, 0, 0));
        assertThat(db.sweep.enqueue(TYPE.with(NOTHING).dedupKey("K7")).isNew()).isFalse();
    }

    @Test
    void newestHundredFailuresAreKept() {
        TaskId old = cancelled(TYPE.with(NOTHING));
        db.execute("insert into sweep.task_failure (id, created_at, failed_at, lease, attempt, error_class, message)"
                + " select " + old + ", sweep.id_time(" + old + "), now(), n, n, 'e', 'm' || n"
                + " from generate_series(1, 250) n");

        TaskId fresh = db.sweep.admin().requeue(old).requeuedAs().orElseThrow();

        assertThat(db.sweep.admin().failures(fresh))
                .hasSize(100)
                .allSatisfy(failure -> assertThat(failure.ranAs()).isEqualTo(old))
                .first()
                .satisfies(failure -> assertThat(failure.message()).isEqualTo("m151"));
        assertThat(db.count("sweep.task_failure")).isEqualTo(100);
    }

    private static long pressedForAWhile() {
        long requeued = 0;
        for (int i = 0; i < 40; i++) {
            for (TaskId id : db.sweep
                    .admin()
                    .select(TaskFilter.status(TaskStatus.FAILED))
                    .ids()) {
                requeued += db.sweep.admin().requeue(id).kind() == TaskChange.Kind.CHANGED ? 1 : 0;
            }
        }
        return requeued;
    }

    private static TaskId requeuedBySql(TaskId id) {
        return TaskId.of(
                (Long) db.query("select sweep.requeue_task(" + id + ")").get(0));
    }

    private static TaskId cancelled(NewTask<Json> task) {
        TaskId id = db.sweep.enqueue(task).id();
        assertThat(db.sweep.cancel(id)).contains(TaskStatus.CANCELLED);
        return id;
    }
}
