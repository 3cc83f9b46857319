package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoomPlannerTest {

    private static final Set<String> TYPES = Set.of("mail", "bill");
    private static final int BATCH = 500;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RoomPlanner planner = new RoomPlanner(TYPES, 1_000, 1_000_000);

    @Test
    void beforeRunTimesAreKnownThereIsRoomForTheIdleSlots() {
        ClaimPlan plan = planner.plan(load(lane("q", 16, 4, 0, 0)), BATCH, 0);

        assertThat(plan.room()).containsOnly(Map.entry("q", 12));
    }

    @Test
    void thereIsRoomForWhatWillStartWithinASecondLessWhatWaits() {
        ClaimPlan plan = planner.plan(load(lane("q", 16, 16, 30, 100)), BATCH, 0);

        assertThat(plan.isEmpty())
                .as("first it runs dry, for a look at lost tasks")
                .isTrue();
        planner.claimed(new ClaimPlan(TYPES, Map.of("q", 1), 1, true), false, 0);
        assertThat(planner.plan(load(lane("q", 16, 16, 30, 100)), BATCH, 0).room())
                .containsOnly(Map.entry("q", 70));
    }

    @Test
    void aBatchIsSharedByTheQueuesAsTheyNeed() {
        looked("a", "b");
        ClaimPlan plan = planner.plan(load(lane("a", 4, 4, 0, 900), lane("b", 4, 4, 0, 100)), BATCH, 0);

        assertThat(plan.room()).containsOnly(Map.entry("a", 450), Map.entry("b", 50));
    }

    @Test
    void aFullBufferLeavesRoomForIdleSlotsOnly() {
        looked("a", "b");
        ClaimPlan plan = planner.plan(load(lane("a", 4, 4, 1_000, 2_000), lane("b", 4, 2, 0, 0)), BATCH, 0);

        assertThat(plan.total()).isEqualTo(2);
    }

    @Test
    void largePayloadsLeaveRoomForIdleSlotsOnly() {
        looked("q");
        BufferLoad heavy = new BufferLoad(Map.of("q", new LaneLoad(4, 3, 0, 100)), 1_000_000, 50_000, false, Set.of());

        assertThat(planner.plan(heavy, BATCH, 0).room()).containsOnly(Map.entry("q", 1));
    }

    @Test
    void aLostTaskComesOnlyWhereEverySlotItMayNeedIsIdle() {
        looked("a", "b");

        assertThat(planner.plan(load(lane("a", 4, 3, 0, 0), lane("b", 4, 0, 0, 0)), BATCH, 0)
                        .lostRoom())
                .isEqualTo(1);
        assertThat(planner.plan(load(lane("a", 4, 4, 0, 50), lane("b", 4, 0, 0, 0)), BATCH, 0)
                        .lostRoom())
                .isZero();
    }

    @Test
    void noSecondLostTaskComesWhileOneIsHere() {
        BufferLoad load = new BufferLoad(Map.of("q", new LaneLoad(4, 1, 0, 0)), 0, 1, true, Set.of());

        ClaimPlan plan = planner.plan(load, BATCH, 0);

        assertThat(plan.lostRoom()).isZero();
        assertThat(plan.looksEverywhere()).isFalse();
        assertThat(plan.room()).containsOnly(Map.entry("q", 3));
    }

    @Test
    void aBusyQueueRunsDryOnceASecondAndAfterEachLookThatFoundALostTask() {
        BufferLoad busy = load(lane("q", 1, 1, 5, 50));
        ClaimPlan look = new ClaimPlan(TYPES, Map.of("q", 1), 1, true);
        planner.claimed(look, false, 0);

        assertThat(planner.plan(busy, BATCH, SECOND / 2).isEmpty()).isFalse();
        assertThat(planner.plan(busy, BATCH, SECOND + 1).isEmpty()).isTrue();
        planner.claimed(look, true, SECOND + 1);
        assertThat(planner.plan(busy, BATCH, SECOND + 2).isEmpty()).isTrue();
        planner.claimed(look, false, SECOND + 2);
        assertThat(planner.plan(busy, BATCH, SECOND + 3).isEmpty()).isFalse();
    }

    @Test
    void onlyALookAtAllQueuesAndAtLostTasksCanSayThatNothingIsDue() {
        looked("a", "b");

        assertThat(planner.plan(load(lane("a", 4, 3, 0, 0), lane("b", 4, 0, 0, 0)), BATCH, 0)
                        .looksEverywhere())
                .isTrue();
        assertThat(planner.plan(load(lane("a", 4, 4, 0, 0), lane("b", 4, 0, 0, 0)), BATCH, 0)
                        .looksEverywhere())
                .isFalse();
    }

    @Test
    void typesOfWhichEnoughIsHereAreLeftOut() {
        BufferLoad load = new BufferLoad(Map.of("q", new LaneLoad(4, 0, 0, 0)), 0, 1, false, Set.of("mail"));

        ClaimPlan plan = planner.plan(load, BATCH, 0);

        assertThat(plan.types()).containsExactly("bill");
        assertThat(plan.looksEverywhere()).isFalse();
        BufferLoad full = new BufferLoad(Map.of("q", new LaneLoad(4, 0, 0, 0)), 0, 1, false, TYPES);
        assertThat(planner.plan(full, BATCH, 0).isEmpty()).isTrue();
    }

    private void looked(String... queues) {
        Map<String, Integer> room = new LinkedHashMap<>();
        for (String queue : queues) {
            room.put(queue, 1);
        }
        planner.claimed(new ClaimPlan(TYPES, room, 1, true), false, 0);
    }

    private static Lane lane(String queue, int slots, int running, int buffered, int prefetch) {
        return new Lane(queue, new LaneLoad(slots, running, buffered, prefetch));
    }

    private static BufferLoad load(Lane... lanes) {
        Map<String, LaneLoad> loads = new LinkedHashMap<>();
        for (Lane lane : lanes) {
            loads.put(lane.queue, lane.load);
        }
        return new BufferLoad(loads, 0, 1, false, Set.of());
    }

    private record Lane(String queue, LaneLoad load) {}
}
