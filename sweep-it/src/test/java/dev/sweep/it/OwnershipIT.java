package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Enqueued;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.worker.Worker;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B38: who runs a task is said by its running row and the lease that this names, and by nothing else. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class OwnershipIT {

    @RegisterExtension
    static final Database db = Database.named("ownership");

    @Test
    void tasksOfADeadWorkerComeBackThoughItsLeasesAreDeletedAndAStrangerClaimsToOwnThem() throws Exception {
        List<TaskId> ids = db.sweep.enqueueAll(Collections.nCopies(3, Errands.HOLD.with(Errands.NOTHING))).stream()
                .map(Enqueued::id)
                .toList();
        try (WorkerProcess dying = WorkerProcess.of(db, "dying").slots(3).start(Errands.HOLD)) {
            db.awaitCount(3, "sweep.task_running");
            dying.kill();
        }
        db.execute("delete from sweep.task_lease");
        db.execute("insert into sweep.task_lease (claimed_at, lease_until, worker)"
                + " select now(), timestamptz '2099-01-01', 'dying' from generate_series(1, 3)");

        try (Worker successor =
                Database.started(db.reclaimingWorker("successor").handle(Errands.HOLD, (nothing, context) -> {}))) {
            ids.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
        }
        assertThat(db.query("select distinct losses from sweep.tasks")).containsExactly(1);
    }
}
