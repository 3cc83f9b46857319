package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskContext;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B35: a worker that was frozen past its lease wakes up, and its outcomes are refused. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class FrozenWorkerIT {

    private static final List<TaskType<Json>> LATE = List.of(Errands.HOLD, Errands.HOLD_THROW, Errands.HOLD_TX);

    /** How far the worker that took over has come by then. */
    private enum Successor {
        HAS_FINISHED,
        IS_RUNNING,
        HAS_FAILED_AND_WAITS
    }

    @RegisterExtension
    static final Database db = Database.named("frozen_worker");

    private final CountDownLatch successorsEnd = new CountDownLatch(1);

    @Test
    void theLateSuccessFailureAndTransactionOfAFrozenWorkerAreRefused() throws Exception {
        Map<TaskId, Successor> tasks = new LinkedHashMap<>();
        for (Successor successor : Successor.values()) {
            for (TaskType<Json> type : LATE) {
                NewTask<Json> task = type.with(Errands.NOTHING).header("successor", successor.name());
                tasks.put(db.sweep.enqueue(task).id(), successor);
            }
        }
        List<Worker> successors = new ArrayList<>();
        try (WorkerProcess frozen = WorkerProcess.of(db, "frozen")
                .slots(tasks.size())
                .start(Errands.HOLD, Errands.HOLD_THROW, Errands.HOLD_TX)) {
            Awaiting.until(
                    "all run in the first worker",
                    () -> frozen.lines().stream()
                                    .filter(line -> line.startsWith("running"))
                                    .count()
                            == tasks.size());
            frozen.freeze();
            // A task that was lost runs alone in its worker: one for each that stays, and one for the rest.
            for (int i = 0; i <= LATE.size(); i++) {
                successors.add(Database.started(successor()));
            }
            tasks.forEach((id, successor) -> awaitSuccessor(id, successor));
            Map<TaskId, Task> before = asTheyAre(tasks);

            frozen.thaw();
            frozen.go();
            tasks.keySet().forEach(id -> frozen.awaitLine("refused " + id));
            assertThat(asTheyAre(tasks)).isEqualTo(before);
            successorsEnd.countDown();
            tasks.forEach((id, successor) -> {
                if (successor == Successor.IS_RUNNING) {
                    db.awaitStatus(id, TaskStatus.SUCCEEDED);
                }
            });
            frozen.stop();
        } finally {
            successors.forEach(Worker::close);
        }
        assertThat(db.count("sweep.fx where worker = 'frozen' and transactional"))
                .as("effects of the frozen worker's transactions")
                .isZero();
        assertThat(db.query("select distinct losses from sweep.tasks")).containsExactly(1);
        assertThat(db.query("select distinct worker from sweep.task_outcome"))
                .allSatisfy(worker -> assertThat(worker).asString().startsWith("successor-"));
    }

    /** Its transaction holds the running row by then, which a reclaim passes over while it is locked. */
    @Test
    void aWorkerFrozenBeforeItsCommitHoldsItsTaskNoLongerThanItsLease() throws Exception {
        TaskId id = db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING)).id();
        FreezingSource freezing = new FreezingSource(db.source, ".fx values");
        Sweep frozen = db.anotherSweep(freezing.source());
        try (Worker first = Database.started(leavingEffects("frozen", frozen));
                freezing) {
            freezing.awaitFrozen();
            assertThat(db.count("sweep.fx")).isZero();
            try (Worker next = Database.started(leavingEffects("successor", db.sweep))) {
                db.awaitStatus(id, TaskStatus.SUCCEEDED);
            }
            freezing.thaw();
            db.events.await(TaskEvent.OutcomeRefused.class, 1);
        }
        assertThat(db.query("select worker from sweep.fx")).containsExactly("successor");
        assertThat(db.task(id).losses()).isEqualTo(1);
    }

    /** Its transaction holds what it was about to take back. */
    @Test
    void aReclaimerFrozenBeforeItsCommitHoldsUpNobody() throws Exception {
        Awaiting.until(
                "leases can be judged, one lease after the server's start",
                () -> db.count("(select where pg_postmaster_start_time() < now() - interval '2 s') past") == 1);
        TaskId id = db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING)).id();
        assertThat(db.claimAndVanish("quick.tx", 1).tasks()).hasSize(1);
        FreezingSource freezing = new FreezingSource(db.source, "with lost as");
        Sweep frozen = db.anotherSweep(freezing.source());
        try (Worker first = Database.started(leavingEffects("frozen", frozen));
                freezing) {
            freezing.awaitFrozen();
            try (Worker next = Database.started(leavingEffects("successor", db.sweep))) {
                db.awaitStatus(id, TaskStatus.SUCCEEDED);
            }
            freezing.thaw();
        }
        assertThat(db.task(id).losses()).isEqualTo(1);
    }

    private static WorkerBuilder leavingEffects(String name, Sweep on) {
        return Database.reclaiming(db.worker(name, on))
                .handleInTransaction(
                        Errands.QUICK_TX,
                        (nothing, context) ->
                                Errands.leaveEffectInTransaction(context.connection(), db.schema, context, name));
    }

    private WorkerBuilder successor() {
        return Database.reclaiming(db.worker("successor", db.anotherSweep()))
                .handleForOutcome(Errands.HOLD, (nothing, context) -> takeOver(context))
                .handleForOutcome(Errands.HOLD_THROW, (nothing, context) -> takeOver(context))
                .handleForOutcome(Errands.HOLD_TX, (nothing, context) -> takeOver(context));
    }

    private Outcome takeOver(TaskContext context) throws InterruptedException {
        return switch (Successor.valueOf(context.headers().get("successor"))) {
            case HAS_FINISHED -> Outcome.complete();
            case HAS_FAILED_AND_WAITS -> Outcome.retryAfter(Duration.ofHours(1), "the successor's failure");
            case IS_RUNNING -> {
                Awaiting.opened(successorsEnd);
                yield Outcome.complete();
            }
        };
    }

    private static void awaitSuccessor(TaskId id, Successor successor) {
        Awaiting.until("the successor of " + id + " " + successor, () -> whereItIs(id), () -> {
            Task task = db.task(id);
            return task.losses() == 1
                    && switch (successor) {
                        case HAS_FINISHED -> task.status() == TaskStatus.SUCCEEDED;
                        case IS_RUNNING -> task.status() == TaskStatus.PROCESSING;
                        case HAS_FAILED_AND_WAITS -> task.status() == TaskStatus.PENDING && task.retryCount() == 1;
                    };
        });
    }

    private static String whereItIs(TaskId id) {
        return db.task(id) + " with losses " + db.task(id).losses() + "; all: "
                + db.query("select t.id || ' ' || row_to_json(w)::text || coalesce(row_to_json(r)::text, '-')"
                        + " || coalesce(row_to_json(l)::text, '-') || coalesce(row_to_json(o)::text, '-')"
                        + " from sweep.task t left join sweep.task_ready w on w.id = t.id"
                        + " left join sweep.task_running r on r.id = t.id"
                        + " left join sweep.task_lease l on l.id = r.lease"
                        + " left join sweep.task_outcome o on o.id = t.id order by t.id")
                + "; failures: " + db.query("select row_to_json(f)::text from sweep.task_failure f order by failed_at");
    }

    private static Map<TaskId, Task> asTheyAre(Map<TaskId, Successor> tasks) {
        Map<TaskId, Task> all = new LinkedHashMap<>();
        tasks.keySet().forEach(id -> all.put(id, db.task(id)));
        return all;
    }
}
