package dev.sweep.testing;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.INSTANT;

import dev.sweep.Json;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which tasks a claim brings, how many, and in which order. */
abstract class ClaimContract extends ContractPart {

    private static final Comparator<ClaimedTask> CLAIM_ORDER = Comparator.comparing(ClaimedTask::priority)
            .reversed()
            .thenComparing(ClaimedTask::dueAt)
            .thenComparing(ClaimedTask::id);

    @Test
    void anEvenClaimBringsTasksOfEveryPriority() {
        enqueued(30, mail().priority(10));
        enqueued(30, mail().priority(5));
        enqueued(30, mail().priority(1));

        List<ClaimedTask> tasks = claim().room(20).evenly().tasks();

        assertThat(tasks).hasSize(6);
        assertThat(tasks).extracting(ClaimedTask::priority).containsOnly(10, 5, 1);
    }

    @Test
    void evenClaimsLetTheLeastUrgentComeThoughMoreUrgentOnesNeverEnd() {
        TaskId least = enqueued(mail().priority(1));
        enqueued(500, mail().priority(10));

        int claims = 0;
        while (status(least) == TaskStatus.PENDING && claims < 500) {
            assertThat(claim().room(1).evenly().tasks()).hasSize(1);
            claims++;
        }

        assertThat(status(least)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void nothingWaitingIsAnEmptyClaim() {
        Claim claim = claim().take();

        assertThat(claim.tasks()).isEmpty();
        assertThat(claim.lease()).isZero();
        assertThat(claim.orphans()).isEmpty();
        assertThat(claim.nextDueIn()).isEmpty();
    }

    @Test
    void claimedTaskCarriesAllThatItsHandlerNeeds() {
        TaskId id = enqueued(MAIL.maxRetries(4)
                .with(Json.of("[1]"))
                .priority(6)
                .dueAt(LONG_AGO)
                .header("tenant", "acme"));

        Claim claim = claim().take();

        assertThat(claim.tasks()).hasSize(1);
        ClaimedTask task = claim.tasks().get(0);
        assertThat(task.id()).isEqualTo(id);
        assertThat(task.attempt().lease()).isEqualTo(claim.lease()).isPositive();
        assertThat(task.type()).isEqualTo("mail");
        assertThat(task.queue()).isEqualTo(QUEUE);
        assertThat(task.priority()).isEqualTo(6);
        assertThat(task.dueAt()).isEqualTo(LONG_AGO);
        assertThat(task.retries()).isZero();
        assertThat(task.losses()).isZero();
        assertThat(task.maxRetries()).isEqualTo(4);
        assertThat(task.payload()).isEqualTo("[1]");
        assertThat(task.headers()).containsExactly(Map.entry("tenant", "acme"));
    }

    @Test
    void claimedTaskIsProcessingSinceTheClaim() {
        TaskId id = enqueued(mail());

        claimOne();

        Task task = find(id);
        assertThat(task.status()).isEqualTo(TaskStatus.PROCESSING);
        assertThat(task.startedAt()).get(INSTANT).isAfterOrEqualTo(task.createdAt());
        assertThat(task.finishedAt()).isEmpty();
    }

    @Test
    void claimedTasksAreNotClaimedAgain() {
        List<TaskId> ids = enqueued(3, mail());

        assertThat(claim().ids()).containsExactlyElementsOf(ids);
        assertThat(claim().worker("w2").ids()).isEmpty();
        assertThat(claim().afresh().ids()).isEmpty();
    }

    @Test
    void tasksOfOneClaimShareItsLeaseAndLeasesGrow() {
        enqueued(6, mail());

        Claim first = claim().room(3).take();
        Claim second = claim().room(3).worker("w2").take();

        assertThat(first.tasks()).hasSize(3).allMatch(task -> task.attempt().lease() == first.lease());
        assertThat(second.tasks()).hasSize(3).allMatch(task -> task.attempt().lease() == second.lease());
        assertThat(second.lease()).isGreaterThan(first.lease());
    }

    @Test
    void higherPriorityComesFirstThenEarlierDueTimeThenLowerId() {
        List<TaskId> expected = new ArrayList<>();
        List<Integer> priorities = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        Collections.shuffle(priorities, new Random(7));
        Map<Integer, List<TaskId>> byPriority = new HashMap<>();
        for (int priority : priorities) {
            TaskId late = enqueued(mail().priority(priority).dueAt(LONG_AGO.plusSeconds(2)));
            List<TaskId> early = enqueued(2, mail().priority(priority).dueAt(LONG_AGO));
            TaskId middle = enqueued(mail().priority(priority).dueAt(LONG_AGO.plusNanos(1_000)));
            byPriority.put(priority, List.of(early.get(0), early.get(1), middle, late));
        }
        for (int priority = 10; priority >= 1; priority--) {
            expected.addAll(byPriority.get(priority));
        }

        List<TaskId> claimed = new ArrayList<>();
        while (claimed.size() < 40) {
            List<TaskId> some = claim().room(7).ids();
            assertThat(some).isNotEmpty();
            claimed.addAll(some);
        }

        assertThat(claimed).containsExactlyElementsOf(expected);
    }

    @Test
    void eachQueueIsInOrderWithinAClaimOfMany() {
        for (int i = 0; i < 12; i++) {
            enqueued(mail().queue("q" + i % 3).priority(1 + i % 4).dueAt(LONG_AGO.plusSeconds(i % 2)));
        }

        List<ClaimedTask> tasks =
                claim().queue("q0", 9).queue("q1", 9).queue("q2", 9).tasks();

        assertThat(tasks).hasSize(12);
        tasks.stream()
                .collect(groupingBy(ClaimedTask::queue))
                .values()
                .forEach(queue -> assertThat(queue).isSortedAccordingTo(CLAIM_ORDER));
    }

    @Test
    void onlyTypesThatWereAskedForAreClaimed() {
        TaskId bill = enqueued(BILL.with(Json.of("{}")).priority(10));
        TaskId mail = enqueued(mail());

        assertThat(claim().ids()).containsExactly(mail);
        assertThat(claim().types("other").ids()).isEmpty();
        assertThat(claim().types("other", "bill").ids()).containsExactly(bill);
    }

    @Test
    void tasksOfOtherTypesInFrontHideNothing() {
        enqueued(500, BILL.with(Json.of("{}")).priority(10).dueAt(LONG_AGO));
        List<TaskId> mails = enqueued(3, mail());

        assertThat(claim().room(3).ids()).containsExactlyElementsOf(mails);
    }

    @Test
    void noTypesIsAnEmptyClaim() {
        enqueued(mail());

        assertThat(claim().types().take().tasks()).isEmpty();
    }

    @Test
    void onlyQueuesThatWereAskedForAreClaimed() {
        enqueued(mail().queue("a"));
        TaskId wanted = enqueued(mail().queue("b"));

        assertThat(claim().queue("b", 10).queue("empty", 10).ids()).containsExactly(wanted);
    }

    @Test
    void roomBoundsEachQueueHoweverManyWait() {
        enqueued(200, mail().queue("a"));
        enqueued(200, mail().queue("b").priority(9));
        enqueued(2, mail().queue("c"));

        List<ClaimedTask> tasks =
                claim().queue("a", 10).queue("b", 3).queue("c", 50).tasks();

        assertThat(tasks.stream().collect(groupingBy(ClaimedTask::queue, counting())))
                .containsOnly(Map.entry("a", 10L), Map.entry("b", 3L), Map.entry("c", 2L));
    }

    @Test
    void roomIsFilledAcrossPriorities() {
        for (int i = 0; i < 20; i++) {
            enqueued(mail().priority(1 + i % 10));
        }

        assertThat(claim().room(15).tasks()).hasSize(15);
        assertThat(claim().room(15).tasks()).hasSize(5);
    }

    @Test
    void largeClaimIsNeverOverItsRoom() {
        enqueued(1_200, mail());

        assertThat(claim().room(500).ids()).hasSize(500).doesNotHaveDuplicates();
        assertThat(claim().room(500).afresh().ids()).hasSize(500);
        assertThat(claim().room(500).ids()).hasSize(200);
    }

    @Test
    void taskIsNotClaimedBeforeItIsDue() {
        TaskId later = enqueued(mail().priority(10).delay(Duration.ofHours(1)));
        TaskId now = enqueued(mail());

        assertThat(claim().ids()).containsExactly(now);
        assertThat(status(later)).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void taskIsClaimedOnceItIsDue() {
        Duration delay = Duration.ofMillis(30);
        TaskId id = enqueued(mail().delay(delay));
        passTime(delay);

        assertThat(eventually(() -> claim().ids(), ids -> !ids.isEmpty())).containsExactly(id);
    }

    @Test
    void emptyClaimSaysWhenTheNextTaskIsDue() {
        enqueued(mail().priority(10).delay(Duration.ofHours(3)));
        enqueued(mail().delay(Duration.ofHours(1)));
        enqueued(mail().queue("other").delay(Duration.ofMinutes(1)));

        assertThat(claim().take().nextDueIn())
                .hasValueSatisfying(in -> assertThat(in).isBetween(Duration.ofMinutes(50), Duration.ofHours(1)));
    }

    @Test
    void claimThatBringsTasksSaysNothingOfTheNext() {
        enqueued(mail().delay(Duration.ofHours(1)));
        enqueued(mail());

        assertThat(claim().take().nextDueIn()).isEmpty();
    }

    @Test
    void pausedQueueIsLeftAloneUntilItIsResumed() {
        TaskId paused = enqueued(mail().queue("a"));
        TaskId other = enqueued(mail().queue("b"));
        store().pauseQueue("a");
        store().pauseQueue("a");

        assertThat(claim().queue("a", 5).queue("b", 5).ids()).containsExactly(other);
        assertThat(claim().queue("a", 5).ids()).isEmpty();

        store().resumeQueue("a");
        store().resumeQueue("a");
        assertThat(claim().queue("a", 5).ids()).containsExactly(paused);
    }

    @Test
    void queueMayBePausedBeforeItHasTasks() {
        store().pauseQueue("a");
        TaskId id = enqueued(mail().queue("a"));

        assertThat(claim().queue("a", 5).ids()).isEmpty();
        store().resumeQueue("a");
        assertThat(claim().queue("a", 5).ids()).containsExactly(id);
    }

    @Test
    void resumingAQueueThatWasNotPausedChangesNothing() {
        store().resumeQueue("never-seen");
        TaskId id = enqueued(mail());

        assertThat(claim().ids()).containsExactly(id);
    }

    @Test
    void attemptsOfAPausedQueueGoOn() {
        ClaimedTask task = running(mail());
        store().pauseQueue(QUEUE);

        assertThat(complete(task)).containsExactly(task.attempt());
    }

    @Test
    void lostTasksComeOnlyWithinTheRoomForLostOnes() {
        List<ClaimedTask> lost = lost(3);

        assertThat(claim().room(10).lostRoom(0).tasks()).isEmpty();
        List<ClaimedTask> again = claim().room(10).lostRoom(1).tasks();
        assertThat(again).hasSize(1);
        assertThat(again.get(0).losses()).isEqualTo(1);
        assertThat(claim().room(10).lostRoom(5).tasks()).hasSize(2).allMatch(task -> task.losses() == 1);
        assertThat(lost).hasSize(3);
    }

    @Test
    void lostTasksComeOnTopOfTheHealthyOnes() {
        lost(2);
        List<TaskId> healthy = enqueued(5, mail());

        List<ClaimedTask> tasks = claim().room(3).lostRoom(1).tasks();

        assertThat(tasks.stream().filter(task -> task.losses() > 0)).hasSize(1);
        assertThat(tasks.stream().filter(task -> task.losses() == 0).map(ClaimedTask::id))
                .containsExactlyElementsOf(healthy.subList(0, 3));
    }

    /** Else a worker without room for lost tasks would ask again at once, for ever. */
    @Test
    void lostTasksThatFoundNoRoomAreNotTheNextOnesDue() {
        lost(1);

        assertThat(claim().lostRoom(0).take().nextDueIn()).isEmpty();
    }

    @Test
    void lostTasksInFrontHideNoHealthyOnes() {
        lost(20);
        List<TaskId> healthy = enqueued(2, mail());

        assertThat(claim().room(5).lostRoom(0).ids()).containsExactlyElementsOf(healthy);
    }

    private List<ClaimedTask> lost(int count) {
        enqueued(count, mail());
        List<ClaimedTask> claimed =
                claim().room(count).lease(Duration.ofMillis(1)).tasks();
        passTime(Duration.ofMillis(1));
        reclaim(count);
        return claimed;
    }
}
