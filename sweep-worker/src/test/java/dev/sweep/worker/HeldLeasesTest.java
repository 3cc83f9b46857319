package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldLeasesTest {

    private static final Moment CLAIMED = new Moment(Long.MAX_VALUE - 5, 1_000);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final HeldLeases leases = new HeldLeases(() -> {});

    @Test
    void aLeaseIsNamedAsLongAsItHoldsSomething() {
        open(7, 1, 2);
        open(8, 3);

        leases.settle(List.of(attempt(7, 1), attempt(8, 3)));
        assertThat(leases.numbers()).containsExactly(7L);
        assertThat(leases.attempts()).containsExactly(attempt(7, 2));

        leases.settle(List.of(attempt(7, 2)));
        assertThat(leases.isEmpty()).isTrue();
    }

    @Test
    void anAttemptStartsWhileTheConfirmedEndOfItsLeaseLiesAheadByBothClocks() {
        HeldAttempt held = open(7, 1).get(0);

        assertThat(starts(held, CLAIMED.plus(LEASE.minusMillis(1)))).isTrue();
        assertThat(starts(held, CLAIMED.plus(LEASE))).isFalse();
        assertThat(starts(held, new Moment(CLAIMED.nanos(), 31_001)))
                .as("the machine slept")
                .isFalse();
        assertThat(starts(held, new Moment(CLAIMED.plus(LEASE).nanos(), 1_000)))
                .as("the clock was set back")
                .isFalse();
    }

    @Test
    void aHeartbeatMovesTheEndOfTheLeasesItExtended() {
        open(7, 1);
        open(8, 2);
        leases.extend(Set.of(7L), CLAIMED.plus(LEASE.multipliedBy(2)));

        assertThat(leases.lapsed(CLAIMED.plus(LEASE)))
                .extracting(HeldAttempt::attempt)
                .containsExactly(attempt(8, 2));
        assertThat(leases.margin(CLAIMED)).contains(LEASE);
        leases.settle(List.of(attempt(8, 2)));
        assertThat(leases.margin(CLAIMED)).contains(LEASE.multipliedBy(2));
    }

    @Test
    void anAttemptThatIsGoneDoesNotStartAndIsInterruptedOnce() {
        HeldAttempt waiting = open(7, 1).get(0);
        assertThat(waiting.lose()).isFalse();
        assertThat(starts(waiting, CLAIMED)).isFalse();

        HeldAttempt running = open(8, 2).get(0);
        HandlerRun run = HandlerRun.begin(List.of(running), CLAIMED);
        assertThat(running.lose()).isTrue();
        assertThat(running.lose()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(run.end()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void noInterruptComesAfterTheHandlerHasEnded() {
        HeldAttempt held = open(7, 1).get(0);
        HandlerRun.begin(List.of(held), CLAIMED).end();

        assertThat(held.lose()).isFalse();
        assertThat(held.stop()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aBatchIsInterruptedWhenNoneOfItsTasksIsHeldAnyMore() {
        List<HeldAttempt> batch = open(7, 1, 2);
        HandlerRun run = HandlerRun.begin(batch, CLAIMED);

        assertThat(batch.get(0).lose()).isFalse();
        assertThat(batch.get(1).lose()).isTrue();
        assertThat(run.end()).isTrue();
    }

    @Test
    void aRunEndsOnceByItsHandlerOrByItsTimeout() {
        HandlerRun inTime = HandlerRun.begin(open(7, 1), CLAIMED);
        assertThat(inTime.end()).isTrue();
        assertThat(inTime.timeOut()).isFalse();
        assertThat(inTime.isTimedOut()).isFalse();

        HandlerRun late = HandlerRun.begin(open(8, 2), CLAIMED);
        assertThat(late.timeOut()).isTrue();
        assertThat(late.timeOut()).isFalse();
        assertThat(late.end()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    private static boolean starts(HeldAttempt held, Moment now) {
        HandlerRun run = HandlerRun.begin(List.of(held), now);
        run.end();
        return run.attempts().contains(held);
    }

    private List<HeldAttempt> open(long lease, long... ids) {
        List<ClaimedTask> tasks = Arrays.stream(ids)
                .mapToObj(id ->
                        new ClaimedTask(attempt(lease, id), "a", "default", 1, Instant.EPOCH, 0, 0, 3, "{}", Map.of()))
                .toList();
        return leases.open(new Claim(lease, tasks, List.of(), Optional.empty()), CLAIMED, CLAIMED.plus(LEASE));
    }

    private static Attempt attempt(long lease, long id) {
        return new Attempt(lease, TaskId.of(id));
    }
}
