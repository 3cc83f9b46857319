package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.RetryPolicy;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.TasksReclaimed;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Reclaimed;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks of vanished workers come back: all of them, only they, and on the same road as those that failed. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class ReclaimIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final TaskType<Json> OTHER = TaskType.json("other");
    private static final Json NOTHING = Json.of("{}");
    private static final Duration LEASE = Duration.ofMillis(100);

    @RegisterExtension
    static final Database db = Database.named("reclaim");

    /** Case B17, part 2. */
    @Test
    void liveLeasesInFrontHideNoLapsedOne() {
        enqueue(1_200);
        db.execute("with taken as (delete from sweep.task_ready returning *),"
                + " leased as (insert into sweep.task_lease (worker, claimed_at, lease_until)"
                + " select 'alive', now(), now() + interval '1 h' from taken returning id),"
                + " l as (select id, row_number() over (order by id) as n from leased),"
                + " t as (select *, row_number() over (order by id) as n from taken)"
                + " insert into sweep.task_running (lease, id, due_at, retries, losses, rank, moved, queue, type)"
                + " select l.id, t.id, due_at, retries, losses, rank, moved, queue, type from l join t using (n)");
        assertThat(db.count("sweep.task_running")).isEqualTo(1_200);
        TaskId lost = enqueue(1).get(0);
        db.claimAndVanish("t", 1);
        try (Worker worker = Database.started(db.reclaimingWorker("w").handle(OTHER, (nothing, context) -> {}))) {
            db.events.await(TasksReclaimed.class, 1);
            assertThat(db.events.of(TasksReclaimed.class))
                    .first()
                    .satisfies(event -> assertThat(event.returned()).containsExactly(lost));
            db.awaitStatus(lost, TaskStatus.PENDING);
        }
        assertThat(db.count("sweep.task_running")).isEqualTo(1_200);
    }

    /** Case B34. */
    @Test
    void lostAndFailedTasksEndInTheSameWayEachByItsOwnLimit() throws Exception {
        TaskType<Json> once = TYPE.maxRetries(1).maxLosses(1);
        TaskId throwsTwice =
                db.sweep.enqueue(once.with(NOTHING).header("throws", "2")).id();
        List<TaskId> lapsing = List.of(
                db.sweep.enqueue(TYPE.maxRetries(1).maxLosses(1).with(NOTHING)).id(),
                db.sweep.enqueue(TYPE.maxRetries(0).maxLosses(0).with(NOTHING)).id());
        TaskId mixed =
                db.sweep.enqueue(once.with(NOTHING).header("throws", "1")).id();
        db.execute("update sweep.task_ready set queue = 'lapsing' where id in (" + lapsing.get(0) + ", "
                + lapsing.get(1) + ", " + mixed + ")");
        Claim firstLoss = vanishFrom("lapsing", 3);
        assertThat(firstLoss.tasks()).hasSize(3);
        try (Worker bystander =
                Database.started(db.reclaimingWorker("bystander").handle(OTHER, (nothing, context) -> {}))) {
            db.awaitStatus(lapsing.get(1), TaskStatus.FAILED);
            db.awaitStatus(lapsing.get(0), TaskStatus.PENDING);
            db.awaitStatus(mixed, TaskStatus.PENDING);
            db.execute("update sweep.task_ready set queue = 'default' where id = " + mixed);
            assertThat(vanishFrom("lapsing", 1).tasks()).hasSize(1);
            db.awaitStatus(lapsing.get(0), TaskStatus.FAILED);
            try (Worker worker = Database.started(db.reclaimingWorker("w")
                    .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                    .handle(TYPE, (nothing, context) -> {
                        if (context.attempt()
                                <= Integer.parseInt(context.headers().get("throws"))) {
                            throw new IllegalStateException("attempt " + context.attempt());
                        }
                    }))) {
                db.awaitStatus(throwsTwice, TaskStatus.FAILED);
                db.awaitStatus(mixed, TaskStatus.SUCCEEDED);
            }
        }
        assertThat(db.task(throwsTwice).error()).contains("attempt 2");
        assertThat(db.task(lapsing.get(0)).error()).get().asString().contains("was lost", "loss 2 of at most 1");
        assertThat(db.task(lapsing.get(1)).error()).get().asString().contains("was lost", "loss 1 of at most 0");
        assertThat(db.task(mixed)).extracting(Task::retryCount, Task::losses).containsExactly(1, 1);
        assertThat(db.query("select count(*) from sweep.tasks_failed")).containsExactly(3L);
    }

    /** Case B36: what the reclaim has read may have moved on before it acts. */
    @Test
    void aReclaimTakesOnlyWhatIsStillLapsedAndNobodyElseIsEnding() throws Exception {
        List<TaskId> ids = enqueue(3);
        Claim claim = db.claimAndVanish("t", 3);
        Attempt ending = claim.tasks().get(0).attempt();
        Attempt cancelled = claim.tasks().get(1).attempt();
        Attempt lapsed = claim.tasks().get(2).attempt();
        awaitGrace();
        try (Connection other = db.transaction()) {
            db.execute(other, "select from sweep.task_running where id = " + ending.id() + " for update");
            db.sweep.cancel(cancelled.id());
            Reclaimed reclaimed = db.store.reclaim(LEASE, 500);
            assertThat(reclaimed.returned()).containsExactly(lapsed);
            assertThat(reclaimed.failed()).isEmpty();
            other.rollback();
        }
        Set<Attempt> gone = db.store
                .heartbeat(new HeartbeatRequest(
                        "vanished", Duration.ofHours(1), Set.of(claim.lease()), Set.of(ending, cancelled, lapsed)))
                .gone();
        assertThat(gone).containsExactlyInAnyOrder(cancelled, lapsed);
        assertThat(db.store.reclaim(LEASE, 500).size())
                .as("reclaimed after a late beat has revived the lease")
                .isZero();
        assertThat(ids)
                .map(db::status)
                .containsExactlyInAnyOrder(TaskStatus.PROCESSING, TaskStatus.CANCELLED, TaskStatus.PENDING);
        assertThat(db.task(ending.id()).losses()).isZero();
        assertThat(db.task(lapsed.id()).losses()).isEqualTo(1);
    }

    /** None is reclaimed in the first lease after the server's start. */
    private static void awaitGrace() {
        Awaiting.until(
                "the leases have lapsed",
                () -> db.count("sweep.task_lease where lease_until < clock_timestamp()"
                                + " and pg_postmaster_start_time() < now() - interval '1 s'")
                        == 1);
    }

    private static Claim vanishFrom(String queue, int room) {
        return db.store.claim(
                new ClaimRequest("vanished", Set.of("t"), Map.of(queue, room), 1, Duration.ofMillis(1), true));
    }

    private static List<TaskId> enqueue(int number) {
        return db
                .sweep
                .enqueueAll(IntStream.range(0, number)
                        .mapToObj(i -> TYPE.with(NOTHING))
                        .toList())
                .stream()
                .map(Enqueued::id)
                .toList();
    }
}
