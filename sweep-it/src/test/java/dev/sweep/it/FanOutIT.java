package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B04: a parent's children and its success are one commit. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class FanOutIT {

    @RegisterExtension
    static final Database db = Database.named("fan_out");

    @Test
    void childrenOfAFailedAttemptNeverExisted() throws Exception {
        CountDownLatch halfWay = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(1);
        TaskId parent = db.sweep.enqueue(Errands.FAN_OUT.with(Errands.NOTHING)).id();
        try (Worker worker = Database.started(db.worker("w")
                .handle(Errands.QUICK, (nothing, context) -> Errands.leaveEffect(db.source, db.schema, context, "w"))
                .retryPolicy(Errands.FAN_OUT, RetryPolicy.fixed(Duration.ZERO))
                .handleInTransaction(Errands.FAN_OUT, (nothing, context) -> {
                    context.enqueueAll(WorkerMain.children(60));
                    if (context.attempt() == 1) {
                        halfWay.countDown();
                        Awaiting.opened(looked);
                        throw new IllegalStateException("after the 60th child");
                    }
                    context.enqueueAll(WorkerMain.children(40));
                }))) {
            Awaiting.opened(halfWay);
            assertThat(db.query("select type from sweep.tasks")).containsExactly("fan-out");
            assertThat(db.count("sweep.task_ready")).isZero();
            looked.countDown();
            db.awaitCount(101, "sweep.task_outcome where status = 'succeeded'");
        }
        hundredChildrenInTheCommitOf(parent);
    }

    @Test
    void childrenOfAKilledWorkerNeverExisted() throws Exception {
        TaskId parent = db.sweep.enqueue(Errands.FAN_OUT.with(Errands.NOTHING)).id();
        try (WorkerProcess doomed = WorkerProcess.of(db, "doomed").start(Errands.FAN_OUT)) {
            doomed.awaitRunning(Errands.FAN_OUT, parent);
            assertThat(db.query("select type from sweep.tasks")).containsExactly("fan-out");
            doomed.kill();
        }
        try (WorkerProcess next = WorkerProcess.of(db, "next").start(Errands.FAN_OUT, Errands.QUICK)) {
            next.go();
            db.awaitStatus(parent, TaskStatus.SUCCEEDED);
            db.awaitCount(101, "sweep.task_outcome where status = 'succeeded'");
            next.stop();
        }
        assertThat(db.task(parent).losses()).isEqualTo(1);
        assertThat(db.task(parent).retryCount()).isZero();
        hundredChildrenInTheCommitOf(parent);
    }

    private static void hundredChildrenInTheCommitOf(TaskId parent) {
        assertThat(db.count("sweep.task where type = 'quick'")).isEqualTo(100);
        assertThat(db.count("sweep.fx")).isEqualTo(100);
        List<Object> commits = db.query("select distinct xmin::text from sweep.task where type = 'quick'"
                + " union select xmin::text from sweep.task_outcome where id = " + parent);
        assertThat(commits).as("transactions that wrote children and success").hasSize(1);
    }
}
