package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.worker.Worker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process that is told to end while its worker closes itself. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class ShutdownIT {

    /** As the JVM says which signal ended it: 128 and its number. */
    private static final int TERMINATED = 143;

    private static final Duration LEASE = Duration.ofSeconds(2);

    @RegisterExtension
    static final Database db = Database.named("shutdown");

    /** Case B44. */
    @Test
    void aSignalLetsTheRunningTaskEndUnderItsLease() throws Exception {
        TaskId running = db.sweep.enqueue(Errands.HOLD.with(Errands.NOTHING)).id();
        try (WorkerProcess process = closing().start(Errands.HOLD, Errands.QUICK);
                Worker next =
                        Database.started(db.reclaimingWorker("next").handle(Errands.QUICK, (nothing, context) -> {}))) {
            process.awaitRunning(Errands.HOLD, running);
            process.signal("TERM");
            process.awaitLine("closing");
            Object leaseAtSignal =
                    db.query("select max(lease_until) from sweep.task_lease").get(0);
            TaskId late = db.sweep.enqueue(Errands.QUICK.with(Errands.NOTHING)).id();
            db.awaitStatus(late, TaskStatus.SUCCEEDED);
            Awaiting.until(
                    "a whole lease has passed, and was kept",
                    () -> db.count("sweep.tasks_running where lease_until > '" + leaseAtSignal
                                    + "'::timestamptz + interval '2 s'")
                            == 1);
            assertThat(process.isAlive()).isTrue();
            process.go();
            assertThat(process.awaitEnd()).isEqualTo(TERMINATED);
            assertThat(db.query("select worker from sweep.task_outcome where id = " + late))
                    .singleElement()
                    .asString()
                    .as("who ran what came after the signal")
                    .startsWith("next");
        }
        assertThat(db.status(running)).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(db.task(running).losses()).isZero();
        assertThat(db.query("select worker from sweep.fx")).containsExactly("w");
    }

    /** Case B47. */
    @Test
    void aSignalGivesBackAtOnceWhatHasNotStarted() throws Exception {
        List<TaskId> quick = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            quick.add(db.sweep
                    .enqueue(Errands.QUICK.with(Errands.NOTHING).priority(10))
                    .id());
        }
        for (int i = 0; i < 10; i++) {
            db.sweep.enqueue(Errands.HOLD.with(Errands.NOTHING));
        }
        try (WorkerProcess process = closing().slots(1).start(Errands.HOLD, Errands.QUICK)) {
            db.awaitStatus(quick.get(59), TaskStatus.SUCCEEDED);
            Awaiting.until(
                    "one runs and others are claimed", () -> db.count("sweep.task_running where type = 'hold'") > 1);
            process.signal("TERM");
            db.awaitCount(9, "sweep.task_ready where retries = 0 and losses = 0 and not moved");
            assertThat(process.isAlive()).isTrue();
            process.go();
            assertThat(process.awaitEnd()).isEqualTo(TERMINATED);
        }
        assertThat(db.count("sweep.task_outcome where status = 'succeeded'")).isEqualTo(61);
    }

    /** A handler that goes on for ever holds the process no longer than the stop timeout and two seconds. */
    @Test
    void aSignalEndsAProcessWhoseHandlerDoesNot() throws Exception {
        TaskId running = db.sweep.enqueue(Errands.HOLD.with(Errands.NOTHING)).id();
        try (WorkerProcess process =
                closing().stopTimeout(Duration.ofMillis(100)).start(Errands.HOLD)) {
            process.awaitRunning(Errands.HOLD, running);
            process.signal("TERM");
            assertThat(process.awaitEnd()).isEqualTo(TERMINATED);
            assertThat(process.lines()).contains("interrupted " + running);
        }
        assertThat(db.status(running)).isEqualTo(TaskStatus.PROCESSING);
        try (Worker next =
                Database.started(db.reclaimingWorker("next").handle(Errands.HOLD, (nothing, context) -> {}))) {
            db.awaitStatus(running, TaskStatus.SUCCEEDED);
        }
    }

    /** Such as those of applications that start and close many. */
    @Test
    void aClosedWorkerIsForgotten() {
        WeakReference<Worker> closed = closedWorker();
        Awaiting.until("nobody holds it any more", () -> {
            System.gc();
            return closed.get() == null;
        });
    }

    private static WeakReference<Worker> closedWorker() {
        Worker worker =
                Database.started(db.worker("w").closeOnShutdown(true).handle(Errands.QUICK, (nothing, context) -> {}));
        worker.close();
        return new WeakReference<>(worker);
    }

    private static WorkerProcess.Builder closing() {
        return WorkerProcess.of(db, "w").lease(LEASE).closeOnShutdown();
    }
}
