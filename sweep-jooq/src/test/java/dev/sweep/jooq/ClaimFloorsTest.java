package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClaimFloorsTest {

    private static final Instant NOW = Instant.parse("2027-01-01T12:00:00Z");
    private static final Duration SLOW = Duration.ofMinutes(10);
    private static final Duration FAST = Duration.ofMillis(1);
    private static final Instant BEHIND_NOW = NOW.minusMillis(250);
    private final AtomicLong nanos = new AtomicLong();
    private final ClaimFloors floors = new ClaimFloors(nanos::get);

    @Test
    void stayAtTheBeginningWhileAFullLookIsFast() {
        learn(request(5, false), List.of(), FAST);
        ClaimFloors.Look next = floors.look(request(5, false), List.of("q"));
        assertThat(next.full()).isTrue();
        assertThat(next.floors()).hasSize(10).containsOnly(Instant.EPOCH);
    }

    /** Finding many takes a while, however little is dead. */
    @Test
    void stayAtTheBeginningWhileAFullLookTakesNoLongerThanWhatItFinds() {
        List<ClaimedTask> many = Collections.nCopies(1_000, task(3, NOW.minusSeconds(60)));
        for (int again = 0; again < 3; again++) {
            learn(request(1_000, false), many, Duration.ofMillis(4));
            assertThat(floors.look(request(1_000, false), List.of("q")).full()).isTrue();
        }
    }

    /** A new session looks everything up for the first time. */
    @Test
    void moveOnceTwoFullLooksInARowWereSlow() {
        Duration ratherSlow = Duration.ofMillis(3);
        learn(request(5, false), List.of(), ratherSlow);
        assertThat(floors.look(request(5, false), List.of("q")).full()).isTrue();
        learn(request(5, false), List.of(), FAST);
        learn(request(5, false), List.of(), ratherSlow);
        assertThat(floors.look(request(5, false), List.of("q")).full()).isTrue();
        learn(request(5, false), List.of(), ratherSlow);
        assertThat(floors.look(request(5, false), List.of("q")).full()).isFalse();
    }

    @Test
    void moveToNowForEveryRankOnceASlowLookFoundLessThanItsRoom() {
        learn(request(5, false), List.of(task(3, NOW.minusSeconds(60))), SLOW);
        ClaimFloors.Look next = floors.look(request(5, false), List.of("q"));
        assertThat(next.full()).isFalse();
        assertThat(next.floors()).containsOnly(BEHIND_NOW);
    }

    @Test
    void moveOnlyForRanksThatWereProbedWhenTheRoomWasFilled() {
        Instant last = NOW.minusSeconds(30);
        learn(request(3, false), List.of(task(10, NOW), task(8, NOW.minusSeconds(60)), task(8, last)), SLOW);
        List<Instant> next = floors.look(request(3, false), List.of("q")).floors();
        assertThat(next.subList(0, 2)).as("ranks before the last that gave").containsOnly(BEHIND_NOW);
        assertThat(next.get(2)).as("the last rank that gave").isEqualTo(last.minusMillis(250));
        assertThat(next.subList(3, 10)).as("ranks not probed").containsOnly(Instant.EPOCH);
    }

    @Test
    void areForgottenWhenAskedAndWhenTypesOrQueuesChange() {
        ClaimRequest other = new ClaimRequest("w", Set.of("t", "u"), Map.of("q", 5), 0, SLOW, false);
        ClaimRequest afresh = request(5, true);
        for (ClaimRequest changed : List.of(other, afresh)) {
            learn(request(5, false), List.of(), SLOW);
            assertThat(floors.look(request(5, false), List.of("q")).full()).isFalse();
            assertThat(floors.look(changed, List.of("q")).full()).isTrue();
        }
        learn(request(5, false), List.of(), SLOW);
        ClaimRequest twoQueues = new ClaimRequest("w", Set.of("t"), Map.of("q", 5, "r", 5), 0, SLOW, false);
        assertThat(floors.look(twoQueues, List.of("q", "r")).full()).isTrue();
    }

    /** A worker leaves out a type of which it runs enough, and takes it in again. */
    @Test
    void areKeptForEachSetOfTypesThatWasAskedFor() {
        ClaimRequest without = new ClaimRequest("w", Set.of("u"), Map.of("q", 5), 0, SLOW, false);
        learn(request(5, false), List.of(), SLOW);
        learn(without, List.of(), SLOW);

        assertThat(floors.look(request(5, false), List.of("q")).full()).isFalse();
        assertThat(floors.look(without, List.of("q")).full()).isFalse();
        assertThat(floors.look(request(5, true), List.of("q")).full()).isTrue();
        assertThat(floors.look(without, List.of("q")).full()).isTrue();
    }

    /** One queue that is asked all the time must not use up the full looks of one that seldom has room. */
    @Test
    void areSteppedBelowInEachQueueOnceAPeriod() {
        ClaimRequest both = new ClaimRequest("w", Set.of("t"), Map.of("q", 5, "r", 5), 0, SLOW, false);
        Duration took = Duration.ofMillis(30);
        floors.learn(floors.look(both, List.of("q", "r")), both, List.of(), NOW, took);
        assertThat(floors.look(both, List.of("q", "r")).full()).isFalse();

        nanos.addAndGet(Duration.ofSeconds(3).toNanos());
        learn(request(5, false), List.of(), took);
        assertThat(floors.look(request(5, false), List.of("q")).full()).isFalse();
        assertThat(floors.look(both, List.of("q", "r")).full()).isTrue();
    }

    private void learn(ClaimRequest request, List<ClaimedTask> claimed, Duration took) {
        floors.learn(floors.look(request, List.of("q")), request, claimed, NOW, took);
    }

    private static ClaimRequest request(int room, boolean afresh) {
        return new ClaimRequest("w", Set.of("t"), Map.of("q", room), 0, SLOW, afresh);
    }

    private static ClaimedTask task(int priority, Instant dueAt) {
        Attempt attempt = new Attempt(1, TaskId.of(1));
        return new ClaimedTask(attempt, "t", "q", priority, dueAt, 0, 0, 3, "{}", Map.of());
    }
}
