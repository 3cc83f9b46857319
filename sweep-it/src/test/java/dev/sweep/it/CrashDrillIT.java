package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.NewTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two worker processes and a backlog; half-way one of them is killed, or frozen for longer than its lease. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class CrashDrillIT {

    private static final int TASKS = 3_000;

    @RegisterExtension
    static final Database db = Database.named("crash_drill");

    @Test
    void everyTaskSucceedsOnceThoughAWorkerIsKilled() throws Exception {
        try (WorkerProcess doomed = started("doomed");
                WorkerProcess steady = started("steady")) {
            enqueue();
            freezeHalfWayWithTasksInHand(doomed, "doomed");
            doomed.kill();
            db.awaitCount(TASKS, "sweep.task_outcome");
            steady.stop();
        }
        everyTaskSucceededOnceAndOnlyTheLostRanTwice("doomed");
    }

    @Test
    void everyTaskSucceedsOnceThoughAWorkerIsFrozenAndWakesUp() throws Exception {
        try (WorkerProcess frozen = started("frozen");
                WorkerProcess steady = started("steady")) {
            enqueue();
            freezeHalfWayWithTasksInHand(frozen, "frozen");
            db.awaitCount(TASKS, "sweep.task_outcome");
            frozen.thaw();
            frozen.stop();
            steady.stop();
        }
        everyTaskSucceededOnceAndOnlyTheLostRanTwice("frozen");
    }

    private static void enqueue() {
        db.sweep.enqueueAll(
                IntStream.range(0, TASKS).mapToObj(CrashDrillIT::task).toList());
    }

    private static NewTask<Json> task(int number) {
        return (number % 2 == 0 ? Errands.QUICK : Errands.QUICK_TX).with(Errands.NOTHING);
    }

    private static WorkerProcess started(String name) {
        return WorkerProcess.of(db, name).start(Errands.QUICK, Errands.QUICK_TX);
    }

    /** A process that is frozen can be looked at in peace: it is let go on until it is caught with tasks in hand. */
    private static void freezeHalfWayWithTasksInHand(WorkerProcess worker, String name) {
        Awaiting.until("half is done, and " + name + " is frozen with tasks in hand", () -> {
            if (db.count("sweep.task_outcome") < TASKS / 2) {
                return false;
            }
            worker.freeze();
            boolean isCaught = db.count("sweep.tasks_running where worker like '" + name + "-%'") > 0;
            if (!isCaught) {
                worker.thaw();
            }
            return isCaught;
        });
    }

    private static void everyTaskSucceededOnceAndOnlyTheLostRanTwice(String lostWorker) {
        assertThat(db.query("select distinct status from sweep.tasks")).containsExactly("succeeded");
        assertThat(db.query("select distinct retry_count from sweep.tasks")).containsExactly(0);
        assertThat(db.count("sweep.tasks")).isEqualTo(TASKS);
        assertThat(db.query("select count(distinct task_id) from sweep.fx")).containsExactly((long) TASKS);
        assertThat(db.count("sweep.fx where transactional")).isEqualTo(TASKS / 2);
        assertThat(db.query("select distinct split_part(worker, '-', 1) from sweep.task_failure"))
                .as("workers that were lost while they held tasks")
                .containsExactly(lostWorker);
        assertThat(db.query("select x.task_id from sweep.fx x join sweep.tasks t on t.id = x.task_id"
                        + " group by x.task_id, t.losses having count(*) > 1 + t.losses"
                        + " or count(*) > 1 and not bool_or(x.worker = '" + lostWorker + "')"))
                .as("tasks that ran twice though no worker was lost that held them")
                .isEmpty();
    }
}
