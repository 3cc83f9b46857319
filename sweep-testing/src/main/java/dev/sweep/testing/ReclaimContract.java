package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.sweep.Json;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of tasks whose worker vanished. */
abstract class ReclaimContract extends ContractPart {

    @Test
    void aLostAttemptIsTakenBackAlthoughOthersOfItsClaimGoOn() {
        enqueued(3, mail());
        List<ClaimedTask> tasks = claim().tasks();
        Attempt lost = tasks.get(0).attempt();
        Attempt stale = new Attempt(lost.lease() + 1_000, tasks.get(1).id());

        assertThat(store().lose(List.of(lost, stale))).isEqualTo(new Reclaimed(List.of(lost), List.of()));

        assertThat(status(tasks.get(0).id())).isEqualTo(TaskStatus.PENDING);
        assertThat(find(tasks.get(0).id()).losses()).isEqualTo(1);
        assertThat(status(tasks.get(1).id())).isEqualTo(TaskStatus.PROCESSING);
        assertThat(store().lose(List.of(lost)).size()).isZero();
        assertThat(complete(tasks.get(0))).isEmpty();
        assertThat(complete(tasks.get(1), tasks.get(2))).hasSize(2);
    }

    @Test
    void anAttemptLostOnceTooOftenFails() {
        ClaimedTask task = running(MAIL.maxLosses(0).with(Json.of("{}")));

        assertThat(store().lose(List.of(task.attempt()))).isEqualTo(new Reclaimed(List.of(), List.of(task.attempt())));
        assertThat(status(task.id())).isEqualTo(TaskStatus.FAILED);
        assertThat(store().lose(List.of())).isEqualTo(new Reclaimed(List.of(), List.of()));
    }

    @Test
    void nothingRunningIsNothingToReclaim() {
        enqueued(mail());

        assertThat(reclaimNow(10)).isEqualTo(new Reclaimed(List.of(), List.of()));
    }

    @Test
    void lapsedAttemptWaitsAgainWithOneMoreLoss() {
        ClaimedTask lost = lapsed(mail());

        assertThat(reclaim(1)).isEqualTo(new Reclaimed(List.of(lost.attempt()), List.of()));

        Task task = find(lost.id());
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task.losses()).isEqualTo(1);
        assertThat(task.retryCount()).isZero();
        assertThat(task.finishedAt()).isEmpty();
        assertThat(task.dueAt()).isEqualTo(lost.dueAt());
    }

    @Test
    void reclaimedTaskIsClaimedAgainAtItsOldPlace() {
        ClaimedTask lost = lapsed(mail().dueAt(LONG_AGO));
        reclaim(1);

        ClaimedTask again = claim().lostRoom(1).afresh().one();

        assertThat(again.id()).isEqualTo(lost.id());
        assertThat(again.dueAt()).isEqualTo(LONG_AGO);
        assertThat(again.losses()).isEqualTo(1);
        assertThat(again.retries()).isZero();
        assertThat(again.attemptNumber()).isEqualTo(1);
        assertThat(again.attempt().lease()).isGreaterThan(lost.attempt().lease());
    }

    @Test
    void attemptIsReclaimedOnce() {
        lapsed(mail());
        reclaim(1);

        assertThat(reclaimNow(10).size()).isZero();
    }

    @Test
    void attemptWhoseLeaseHoldsIsLeftAlone() {
        ClaimedTask alive = running(mail());
        ClaimedTask lost = lapsed(mail());

        assertThat(reclaim(1).returned()).containsExactly(lost.attempt());
        assertThat(status(alive.id())).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void onlyWhatStillRunsOfAClaimIsReclaimed() {
        enqueued(4, mail());
        List<ClaimedTask> tasks = claim().lease(Duration.ofMillis(1)).tasks();
        complete(tasks.get(0));
        store().release(List.of(tasks.get(1).attempt()));
        passTime(Duration.ofMillis(1));

        assertThat(reclaim(2).returned())
                .containsExactlyInAnyOrder(tasks.get(2).attempt(), tasks.get(3).attempt());
        assertThat(find(tasks.get(1).id()).losses()).isZero();
    }

    @Test
    void limitBoundsOneReclaim() {
        List<TaskId> ids = enqueued(5, mail());
        List<ClaimedTask> tasks = claim().lease(Duration.ofMillis(1)).tasks();
        assertThat(tasks).hasSize(5);
        passTime(Duration.ofMillis(1));

        List<Attempt> taken = new ArrayList<>();
        eventually(
                () -> {
                    Reclaimed some = reclaimNow(2);
                    assertThat(some.size()).isLessThanOrEqualTo(2);
                    taken.addAll(some.returned());
                    return taken.size();
                },
                size -> size >= 5);

        assertThat(taken.stream().map(Attempt::id)).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void outcomesOfAReclaimedAttemptAreRefused() {
        ClaimedTask stale = lapsed(mail());
        reclaim(1);
        assertAllRefused(stale);
        assertThat(status(stale.id())).isEqualTo(TaskStatus.PENDING);

        ClaimedTask again = claim().lostRoom(1).one();
        assertAllRefused(stale);
        assertThat(status(stale.id())).isEqualTo(TaskStatus.PROCESSING);

        assertThat(complete(again)).containsExactly(again.attempt());
        assertAllRefused(stale);
        assertThat(status(stale.id())).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void lossesOverTheLimitOfTheTypeAreFinal() {
        TaskId id = enqueued(MAIL.maxLosses(2).with(mail().payload()));
        for (int losses = 1; losses <= 2; losses++) {
            loseOnce();
            assertThat(reclaim(1).failed()).isEmpty();
            assertThat(find(id).losses()).isEqualTo(losses);
        }

        ClaimedTask last = loseOnce();
        assertThat(reclaim(1)).isEqualTo(new Reclaimed(List.of(), List.of(last.attempt())));

        Task task = find(id);
        assertThat(task.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task.losses()).isEqualTo(3);
        assertThat(task.retryCount()).isZero();
        assertThat(task.error()).get(STRING).contains("lost");
        assertThat(task.finishedAt()).isPresent();
        assertThat(claim().lostRoom(1).tasks()).isEmpty();
    }

    @Test
    void workThatMustNotStartTwiceFailsWithItsFirstLoss() {
        ClaimedTask lost = lapsed(MAIL.maxLosses(0).with(mail().payload()));

        assertThat(reclaim(1).failed()).containsExactly(lost.attempt());
        assertThat(status(lost.id())).isEqualTo(TaskStatus.FAILED);
        assertAllRefused(lost);
    }

    @Test
    void lossAndFailureAreCountedApart() {
        lapsed(mail());
        reclaim(1);
        ClaimedTask second = claim().lostRoom(1).one();
        retry(second, Duration.ZERO, "no route");

        ClaimedTask third = claim().lostRoom(1).one();

        assertThat(third.losses()).isEqualTo(1);
        assertThat(third.retries()).isEqualTo(1);
        assertThat(find(third.id()).error()).contains("no route");
    }

    private ClaimedTask loseOnce() {
        ClaimedTask claimed = claim().lostRoom(1).lease(Duration.ofMillis(1)).one();
        passTime(Duration.ofMillis(1));
        return claimed;
    }

    private void assertAllRefused(ClaimedTask stale) {
        assertThat(complete(stale)).isEmpty();
        assertThat(retry(stale, Duration.ZERO, "stale")).isEmpty();
        assertThat(failForGood(stale, "stale")).isEmpty();
        assertThat(store().snooze(List.of(new Snooze(stale.attempt(), Duration.ZERO))))
                .isEmpty();
        assertThat(store().release(List.of(stale.attempt()))).isEmpty();
    }
}
