package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B28: a task that takes its worker down ends, and takes no other task with it. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class PoisonPillIT {

    private static final int MAX_LOSSES = 2;

    @RegisterExtension
    static final Database db = Database.named("poison_pill");

    @Test
    void aTaskThatKillsItsWorkersFailsAsLostAndTheOthersSucceed() throws Exception {
        TaskId pill = db.sweep
                .enqueue(Errands.HALT.maxLosses(MAX_LOSSES).with(Errands.NOTHING))
                .id();
        db.sweep.enqueueAll(IntStream.range(0, 20)
                .mapToObj(i -> Errands.QUICK.with(Errands.NOTHING))
                .toList());
        int crashes = 0;
        // Its reclaims go on while the supervised process starts anew.
        try (Worker bystander =
                Database.started(db.reclaimingWorker("bystander").handle(Errands.FAN_OUT, (nothing, context) -> {}))) {
            while (db.status(pill) != TaskStatus.FAILED) {
                try (WorkerProcess worker = supervised().start(Errands.HALT, Errands.QUICK)) {
                    Awaiting.until(
                            "the worker is dead or the pill has failed",
                            () -> !worker.isAlive() || db.status(pill) == TaskStatus.FAILED);
                    if (worker.isAlive()) {
                        // A kill would cost whatever runs in it a loss that the pill has not caused.
                        worker.stop();
                    } else {
                        crashes++;
                    }
                }
            }
            try (WorkerProcess worker = supervised().start(Errands.QUICK)) {
                db.awaitCount(20, "sweep.tasks where type = 'quick' and status = 'succeeded'");
                worker.stop();
            }
        }
        assertThat(crashes).isEqualTo(MAX_LOSSES + 1);
        assertThat(db.task(pill).error())
                .get()
                .asString()
                .containsPattern("worker supervised-\\w+ was lost while it ran this task")
                .contains("loss 3 of at most 2");
        assertThat(db.query("select distinct worker from sweep.task_failure where id = " + pill))
                .as("the workers it took down")
                .hasSize(crashes);
        assertThat(db.query("select id from sweep.tasks where type = 'quick' and losses > 1"))
                .as("healthy tasks that ran beside the pill again after it had cost them a run")
                .isEmpty();
    }

    /** With a lease that a machine in want of time does not let lapse: only its end may cost losses. */
    private static WorkerProcess.Builder supervised() {
        return WorkerProcess.of(db, "supervised").lease(Duration.ofSeconds(3));
    }
}
