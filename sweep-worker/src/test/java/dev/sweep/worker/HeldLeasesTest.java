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

    private final HeldLeases leases = new HeldLeases();

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

        assertThat(held.begin(CLAIMED.plus(LEASE.minusMillis(1)))).isTrue();
        assertThat(held.begin(CLAIMED.plus(LEASE))).isFalse();
        assertThat(held.begin(new Moment(CLAIMED.nanos(), 31_001)))
                .as("the machine slept")
                .isFalse();
        assertThat(held.begin(new Moment(CLAIMED.plus(LEASE).nanos(), 1_000)))
                .as("the clock was set back")
                .isFalse();
        held.endHandler();
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
        assertThat(waiting.begin(CLAIMED)).isFalse();

        HeldAttempt running = open(8, 2).get(0);
        assertThat(running.begin(CLAIMED)).isTrue();
        assertThat(running.lose()).isTrue();
        assertThat(running.lose()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        running.endHandler();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void noInterruptComesAfterTheHandlerHasEnded() {
        HeldAttempt held = open(7, 1).get(0);
        held.begin(CLAIMED);
        held.endHandler();

        assertThat(held.lose()).isFalse();
        assertThat(held.stop()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
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
