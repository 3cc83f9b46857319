package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What keeps a lease alive, and what a worker learns at each beat. */
abstract class HeartbeatContract extends ContractPart {

    @Test
    void namedLeasesThatHoldTasksAreExtended() {
        ClaimedTask first = running(mail());
        ClaimedTask second = running(mail());

        Heartbeat answer = beat(leases(first, second), attempts(first, second));

        assertThat(answer.extended()).isEqualTo(leases(first, second));
        assertThat(answer.gone()).isEmpty();
    }

    @Test
    void extendedLeaseIsNotReclaimed() {
        ClaimedTask task = lapsed(mail());

        assertThat(beat(leases(task), attempts(task)).extended()).isEqualTo(leases(task));

        passTime(Duration.ofSeconds(1));
        assertThat(reclaimNow(10).size()).isZero();
        assertThat(complete(task)).containsExactly(task.attempt());
    }

    @Test
    void shorterLeaseOfABeatReplacesTheLongerOne() {
        ClaimedTask task = running(mail());

        store().heartbeat(new HeartbeatRequest("w1", Duration.ofMillis(1), leases(task), attempts(task)));

        assertThat(reclaim(1).returned()).containsExactly(task.attempt());
    }

    @Test
    void leaseThatIsNotNamedLapses() {
        ClaimedTask named = lapsed(mail());
        ClaimedTask unnamed = lapsed(mail());

        Heartbeat answer = beat(leases(named), attempts(named, unnamed));

        assertThat(answer.extended()).isEqualTo(leases(named));
        assertThat(answer.gone()).isEmpty();
        assertThat(reclaim(1).returned()).containsExactly(unnamed.attempt());
    }

    @Test
    void leaseThatIsNotNamedButHoldsTasksIsKept() {
        ClaimedTask task = running(mail());

        beat(Set.of(), Set.of());

        assertThat(reclaimNow(10).size()).isZero();
        assertThat(complete(task)).containsExactly(task.attempt());
    }

    @Test
    void leasesThatHoldNothingAreNotExtended() {
        ClaimedTask ended = running(mail());
        complete(ended);
        long unknown = ended.attempt().lease() + 1_000;

        assertThat(beat(Set.of(ended.attempt().lease(), unknown), Set.of()).extended())
                .isEmpty();
    }

    @Test
    void leaseThatStillHoldsOneOfItsTasksIsExtended() {
        enqueued(3, mail());
        List<ClaimedTask> tasks = claim().tasks();
        complete(tasks.get(0), tasks.get(1));

        assertThat(beat(leases(tasks.get(2)), attempts(tasks.get(2))).extended())
                .isEqualTo(leases(tasks.get(2)));
    }

    @Test
    void leasesOfOtherWorkersAreLeftAlone() {
        TaskId id = enqueued(mail());
        ClaimedTask other = claim().worker("w2").one();
        assertThat(other.id()).isEqualTo(id);

        beat(Set.of(), Set.of());

        assertThat(complete(other)).containsExactly(other.attempt());
    }

    @Test
    void attemptsThatNoLongerHoldTheirTaskAreGone() {
        ClaimedTask completed = running(mail());
        complete(completed);
        ClaimedTask cancelled = running(mail());
        store().cancel(cancelled.id());
        ClaimedTask reclaimed = lapsed(mail());
        reclaim(1);
        ClaimedTask again = claim().lostRoom(1).one();
        ClaimedTask held = running(mail());
        Attempt unknown = new Attempt(held.attempt().lease() + 1_000, held.id());

        Heartbeat answer = store().heartbeat(new HeartbeatRequest(
                "w1",
                Duration.ofHours(1),
                leases(completed, cancelled, reclaimed, again, held),
                Set.of(
                        completed.attempt(),
                        cancelled.attempt(),
                        reclaimed.attempt(),
                        again.attempt(),
                        held.attempt(),
                        unknown)));

        assertThat(answer.extended()).isEqualTo(leases(again, held));
        assertThat(answer.gone())
                .containsExactlyInAnyOrder(completed.attempt(), cancelled.attempt(), reclaimed.attempt(), unknown);
    }

    @Test
    void beatOfAnIdleWorkerIsEmpty() {
        Heartbeat answer = beat(Set.of(), Set.of());

        assertThat(answer.extended()).isEmpty();
        assertThat(answer.gone()).isEmpty();
    }

    private Heartbeat beat(Set<Long> leases, Set<Attempt> attempts) {
        return store().heartbeat(new HeartbeatRequest("w1", Duration.ofHours(1), leases, attempts));
    }

    private static Set<Long> leases(ClaimedTask... tasks) {
        return Set.copyOf(
                List.of(tasks).stream().map(task -> task.attempt().lease()).toList());
    }

    private static Set<Attempt> attempts(ClaimedTask... tasks) {
        return Set.copyOf(List.of(tasks).stream().map(ClaimedTask::attempt).toList());
    }
}
