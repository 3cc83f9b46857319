package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Due;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Snooze;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Snooze and release: attempts that end without a verdict. */
abstract class GiveBackContract extends ContractPart {

    @Test
    void snoozedTaskWaitsForItsNewDueTimeFromNowOn() {
        ClaimedTask claimed = running(mail().dueAt(LONG_AGO));

        assertThat(snooze(claimed, Duration.ofHours(1))).containsExactly(claimed.attempt());

        Task task = find(claimed.id());
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task.dueAt())
                .isBetween(
                        task.createdAt().plus(Duration.ofMinutes(50)),
                        task.createdAt().plus(Duration.ofMinutes(70)));
        assertThat(claim().tasks()).isEmpty();
    }

    @Test
    void snoozeCostsNoRetryAndNoLoss() {
        ClaimedTask first = running(mail());
        retry(first, Duration.ZERO, "once");
        snooze(claimOne(), Duration.ZERO);

        ClaimedTask again = claimOne();

        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.retries()).isEqualTo(1);
        assertThat(again.losses()).isZero();
        assertThat(find(first.id()).error()).contains("once");
    }

    @Test
    void snoozedTaskIsClaimedOnceItIsDue() {
        Duration delay = Duration.ofMillis(20);
        ClaimedTask task = running(mail());
        snooze(task, delay);
        passTime(delay);

        assertThat(eventually(() -> claim().ids(), ids -> !ids.isEmpty())).containsExactly(task.id());
    }

    @Test
    void releasedTaskWaitsAtItsOldPlace() {
        List<TaskId> ids = enqueued(4, mail().dueAt(LONG_AGO));
        List<ClaimedTask> claimed = claim().room(2).tasks();

        assertThat(release(claimed.get(0), claimed.get(1)))
                .containsExactlyInAnyOrder(
                        claimed.get(0).attempt(), claimed.get(1).attempt());

        assertThat(status(ids.get(0))).isEqualTo(TaskStatus.PENDING);
        assertThat(claim().afresh().ids()).containsExactlyElementsOf(ids);
    }

    @Test
    void releaseCostsNothing() {
        ClaimedTask first = running(mail());
        passTime(Duration.ofMillis(1));
        release(first);

        ClaimedTask again = claim().afresh().one();

        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.dueAt()).isEqualTo(first.dueAt());
        assertThat(again.retries()).isZero();
        assertThat(again.losses()).isZero();
        assertThat(again.attempt().lease()).isGreaterThan(first.attempt().lease());
    }

    @Test
    void releasedRetryKeepsItsPlaceAndItsCount() {
        retry(running(mail()), Duration.ZERO, "once");
        ClaimedTask second = claimOne();
        passTime(Duration.ofMillis(1));
        release(second);

        ClaimedTask again = claim().afresh().one();

        assertThat(again.dueAt()).isEqualTo(second.dueAt());
        assertThat(again.retries()).isEqualTo(1);
    }

    @Test
    void releasedLostTaskKeepsItsLoss() {
        ClaimedTask first = lapsed(mail());
        reclaim(1);
        ClaimedTask second = claim().lostRoom(1).one();
        release(second);

        assertThat(claim().lostRoom(0).tasks()).isEmpty();
        ClaimedTask again = claim().lostRoom(1).one();
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.losses()).isEqualTo(1);
    }

    @Test
    void nothingInIsNothingOut() {
        assertThat(store().snooze(List.of())).isEmpty();
        assertThat(store().release(List.of())).isEmpty();
    }

    @Test
    void attemptsThatEndedAreRefused() {
        ClaimedTask completed = running(mail());
        complete(completed);
        ClaimedTask snoozed = running(mail());
        snooze(snoozed, Duration.ofHours(1));

        assertThat(release(completed, snoozed)).isEmpty();
        assertThat(snooze(completed, Duration.ZERO)).isEmpty();
        assertThat(snooze(snoozed, Duration.ZERO)).isEmpty();
        assertThat(complete(snoozed)).isEmpty();

        assertThat(status(completed.id())).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(claim().lostRoom(1).tasks()).isEmpty();
    }

    @Test
    void unknownAttemptsAreRefusedAndTheOthersAccepted() {
        ClaimedTask released = running(mail());
        ClaimedTask snoozed = running(mail());
        Attempt unknown = new Attempt(released.attempt().lease() + 1_000, released.id());

        assertThat(store().snooze(List.of(
                        new Snooze(unknown, Duration.ZERO), new Snooze(snoozed.attempt(), Duration.ofHours(1)))))
                .containsExactly(snoozed.attempt());
        assertThat(store().release(List.of(unknown, released.attempt(), released.attempt())))
                .containsExactly(released.attempt());
    }

    private Set<Attempt> snooze(ClaimedTask task, Duration delay) {
        return store().snooze(List.of(new Snooze(task.attempt(), delay)));
    }

    @Test
    void snoozeCanBeDueAtAnInstant() {
        ClaimedTask task = running(mail());
        Instant later = LONG_AGO.plus(Duration.ofDays(36_500));

        assertThat(store().snooze(List.of(new Snooze(task.attempt(), Due.at(later)))))
                .containsExactly(task.attempt());

        assertThat(find(task.id()).dueAt()).isEqualTo(later);
        assertThat(find(task.id()).status()).isEqualTo(TaskStatus.PENDING);
    }

    private Set<Attempt> release(ClaimedTask... tasks) {
        return store().release(List.of(tasks).stream().map(ClaimedTask::attempt).toList());
    }
}
