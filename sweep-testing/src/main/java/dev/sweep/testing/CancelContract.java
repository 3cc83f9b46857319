package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Snooze;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cancel is final at once, wherever the task is. */
abstract class CancelContract extends ContractPart {

    @Test
    void anAttemptThatCancelsItsTaskEndsItForGood() {
        ClaimedTask unwanted = running(mail());
        ClaimedTask other = running(mail());
        Cancellation cancellation = new Cancellation(unwanted.attempt(), RUN_TIME, "nobody waits \u0000");
        Cancellation stale = new Cancellation(new Attempt(0, other.id()), RUN_TIME, "stale");

        assertThat(store().cancel(List.of(cancellation, stale))).containsExactly(unwanted.attempt());

        assertThat(status(unwanted.id())).isEqualTo(TaskStatus.CANCELLED);
        assertThat(find(unwanted.id()).error()).get().asString().startsWith("nobody waits");
        assertThat(status(other.id())).isEqualTo(TaskStatus.PROCESSING);
        assertThat(store().cancel(List.of(cancellation))).isEmpty();
        assertThat(complete(unwanted)).isEmpty();
        assertThat(store().cancel(List.<Cancellation>of())).isEmpty();
    }

    @Test
    void waitingTaskIsCancelledAndNeverClaimed() {
        TaskId id = enqueued(mail());

        assertThat(store().cancel(id)).contains(TaskStatus.CANCELLED);

        Task task = find(id);
        assertThat(task.status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(task.finishedAt()).isPresent();
        assertThat(task.error()).isEmpty();
        assertThat(claim().afresh().tasks()).isEmpty();
    }

    @Test
    void scheduledTaskIsCancelled() {
        TaskId id = enqueued(mail().delay(Duration.ofMillis(1)));
        TaskId far = enqueued(mail().delay(Duration.ofDays(1)));

        assertThat(store().cancel(id)).contains(TaskStatus.CANCELLED);
        assertThat(store().cancel(far)).contains(TaskStatus.CANCELLED);
        assertThat(claim().take().nextDueIn()).isEmpty();
    }

    @Test
    void retryingSnoozedReleasedAndLostTasksAreCancelled() {
        ClaimedTask retrying = running(mail());
        retry(retrying, Duration.ofHours(1), "no route");
        ClaimedTask snoozed = running(mail());
        store().snooze(List.of(new Snooze(snoozed.attempt(), Duration.ofHours(1))));
        ClaimedTask lost = lapsed(mail());
        reclaim(1);
        ClaimedTask released = claim().lostRoom(1).one();
        store().release(List.of(released.attempt()));

        for (ClaimedTask task : List.of(retrying, snoozed, lost)) {
            assertThat(store().cancel(task.id())).contains(TaskStatus.CANCELLED);
        }
        assertThat(find(retrying.id()).retryCount()).isEqualTo(1);
        assertThat(find(retrying.id()).error()).contains("no route");
        assertThat(find(lost.id()).losses()).isEqualTo(1);
        assertThat(claim().lostRoom(5).take().nextDueIn()).isEmpty();
    }

    @Test
    void runningTaskIsCancelledAndItsOutcomeRefused() {
        ClaimedTask running = running(mail());

        assertThat(store().cancel(running.id())).contains(TaskStatus.CANCELLED);

        assertThat(complete(running)).isEmpty();
        assertThat(retry(running, Duration.ZERO, "interrupted")).isEmpty();
        assertThat(failForGood(running, "interrupted")).isEmpty();
        assertThat(store().snooze(List.of(new Snooze(running.attempt(), Duration.ZERO))))
                .isEmpty();
        assertThat(store().release(List.of(running.attempt()))).isEmpty();
        assertThat(status(running.id())).isEqualTo(TaskStatus.CANCELLED);
        assertThat(claim().lostRoom(1).tasks()).isEmpty();
    }

    @Test
    void cancelTakesOneTaskOfAClaimOnly() {
        enqueued(3, mail());
        List<ClaimedTask> tasks = claim().tasks();

        store().cancel(tasks.get(1).id());

        assertThat(complete(tasks.toArray(ClaimedTask[]::new)))
                .containsExactlyInAnyOrder(tasks.get(0).attempt(), tasks.get(2).attempt());
    }

    @Test
    void lapsedTaskIsCancelledAndNotReclaimed() {
        ClaimedTask lapsed = lapsed(mail());

        assertThat(store().cancel(lapsed.id())).contains(TaskStatus.CANCELLED);
        assertThat(reclaimNow(10).size()).isZero();
        assertThat(find(lapsed.id()).losses()).isZero();
    }

    @Test
    void repeatedCancelChangesNothing() {
        TaskId id = enqueued(mail());
        store().cancel(id);
        Task first = find(id);

        assertThat(store().cancel(id)).contains(TaskStatus.CANCELLED);
        assertThat(find(id)).isEqualTo(first);
    }

    @Test
    void cancelOfAnEndedTaskSaysHowItEnded() {
        ClaimedTask succeeded = running(mail());
        complete(succeeded);
        ClaimedTask failed = running(mail());
        failForGood(failed, "broken");

        assertThat(store().cancel(succeeded.id())).contains(TaskStatus.SUCCEEDED);
        assertThat(store().cancel(failed.id())).contains(TaskStatus.FAILED);
        assertThat(status(succeeded.id())).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(status(failed.id())).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void unknownTaskIsEmpty() {
        TaskId id = enqueued(mail());

        assertThat(store().cancel(TaskId.of(1))).isEmpty();
        assertThat(store().cancel(TaskId.of(id.value() + 1_000_000))).isEmpty();
        assertThat(status(id)).isEqualTo(TaskStatus.PENDING);
    }
}
