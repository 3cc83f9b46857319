package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sweep.BulkResult;
import dev.sweep.Json;
import dev.sweep.Task;
import dev.sweep.TaskChange;
import dev.sweep.TaskFailure;
import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.spi.AdminStore;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Reprioritise, reschedule, select, and changes of many. */
abstract class AdminContract extends AdminPart {

    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    @Test
    void anotherPriorityIsAnotherPlaceAndStays() {
        TaskId first = enqueued(mail().priority(5));
        TaskId second = enqueued(mail().priority(5));

        assertThat(admin().reprioritise(second, 9)).isEqualTo(TaskChange.changed(second, TaskStatus.PENDING));
        assertThat(find(second).priority()).isEqualTo(9);

        List<ClaimedTask> claimed = claim().room(1).tasks();
        assertThat(claimed).extracting(ClaimedTask::id, ClaimedTask::priority).containsExactly(tuple(second, 9));
        assertThat(find(second).priority()).isEqualTo(9);
        retry(claimed.get(0), Duration.ZERO, "again");
        assertThat(find(second).priority()).isEqualTo(9);
        assertThat(claim().room(1).ids()).containsExactly(second);
        assertThat(claim().room(1).ids()).containsExactly(first);
    }

    @Test
    void samePriorityAgainChangesNothingToSee() {
        TaskId id = enqueued(mail().priority(5));
        Task before = find(id);

        admin().reprioritise(id, 5);
        admin().reprioritise(id, 5);

        assertThat(find(id)).isEqualTo(before);
        assertThat(claim().ids()).containsExactly(id);
        assertThat(claim().afresh().tasks()).isEmpty();
    }

    @Test
    void movesAddUp() {
        TaskId id = enqueued(mail());

        admin().reprioritise(id, 2);
        admin().reschedule(id, FAR);
        admin().reprioritise(id, 10);

        assertThat(find(id)).extracting(Task::priority, Task::dueAt).containsExactly(10, FAR);
        assertThat(claim().tasks()).isEmpty();
        assertThat(store().cancel(id)).contains(TaskStatus.CANCELLED);
    }

    @Test
    void scheduledTaskIsMadeDueNowAndADueOneIsPutOff() {
        TaskId later = enqueued(mail().dueAt(FAR));
        TaskId now = enqueued(mail());

        assertThat(admin().retryNow(later)).isEqualTo(TaskChange.changed(later, TaskStatus.PENDING));
        assertThat(admin().reschedule(now, FAR)).isEqualTo(TaskChange.changed(now, TaskStatus.PENDING));

        assertThat(claim().ids()).containsExactly(later);
        assertThat(find(now).dueAt()).isEqualTo(FAR);
    }

    @Test
    void taskThatWaitsForItsRetryIsRetriedNowAndKeepsItsCounts() {
        ClaimedTask failed = running(mail());
        retry(failed, Duration.ofDays(1), "no route");

        admin().retryNow(failed.id());

        ClaimedTask again = claimOne();
        assertThat(again.retries()).isEqualTo(1);
        assertThat(find(failed.id()).error()).contains("no route");
    }

    @Test
    void runningTaskIsLeftWhereItIs() {
        ClaimedTask running = running(mail().priority(3));

        assertThat(admin().reprioritise(running.id(), 9))
                .isEqualTo(TaskChange.unchanged(running.id(), TaskStatus.PROCESSING));
        assertThat(admin().reschedule(running.id(), FAR))
                .isEqualTo(TaskChange.unchanged(running.id(), TaskStatus.PROCESSING));

        assertThat(find(running.id()).priority()).isEqualTo(3);
        assertThat(complete(running)).hasSize(1);
    }

    @Test
    void endedAndUnknownTasksAreNotMoved() {
        ClaimedTask ended = running(mail());
        complete(ended);
        TaskId cancelled = enqueued(mail());
        store().cancel(cancelled);

        assertThat(admin().retryNow(ended.id())).isEqualTo(TaskChange.unchanged(ended.id(), TaskStatus.SUCCEEDED));
        assertThat(admin().reprioritise(cancelled, 9)).isEqualTo(TaskChange.unchanged(cancelled, TaskStatus.CANCELLED));
        assertThat(admin().retryNow(TaskId.of(1)).kind()).isEqualTo(TaskChange.Kind.NO_SUCH_TASK);
        assertThat(claim().tasks()).isEmpty();
    }

    @Test
    void failuresAreKnownOldestFirst() {
        ClaimedTask first = running(mail());
        retry(first, Duration.ZERO, "no route");
        ClaimedTask second = claim().lease(Duration.ofMillis(1)).one();
        passTime(Duration.ofMillis(1));
        reclaim(1);
        ClaimedTask third = claim().lostRoom(1).one();
        failForGood(third, "gone");

        List<TaskFailure> failures = admin().failures(first.id());

        assertThat(failures)
                .extracting(TaskFailure::attempt, TaskFailure::errorClass)
                .containsExactly(
                        tuple(1, "java.io.IOException"), tuple(2, "worker lost"), tuple(2, "java.io.IOException"));
        assertThat(failures)
                .extracting(TaskFailure::message)
                .startsWith("no route")
                .endsWith("gone");
        assertThat(failures).allSatisfy(failure -> {
            assertThat(failure.worker()).contains("w1");
            assertThat(failure.ranAs()).isEqualTo(second.id());
        });
        assertThat(admin().failures(TaskId.of(1))).isEmpty();
    }

    @Test
    void pausedQueuesAreListed() {
        store().pauseQueue("b");
        store().pauseQueue("a");
        store().pauseQueue("a");
        assertThat(admin().pausedQueues()).containsExactly("a", "b");

        store().resumeQueue("a");
        store().resumeQueue("a");
        assertThat(admin().pausedQueues()).containsExactly("b");
    }

    @Test
    void selectionHoldsWhatMatchesByStatusTypeAndQueue() {
        TaskId waiting = enqueued(mail());
        TaskId elsewhere = enqueued(mail().queue("other"));
        TaskId bill = enqueued(BILL.with(Json.of("{}")));
        ClaimedTask running = running(mail().queue("running"));
        ClaimedTask failed = running(mail().queue("failing"));
        failForGood(failed, "broken");
        TaskId cancelled = enqueued(mail());
        store().cancel(cancelled);
        TaskFilter live = TaskFilter.status(TaskStatus.PENDING, TaskStatus.PROCESSING);

        assertThat(selected(live)).containsExactly(waiting, elsewhere, bill, running.id());
        assertThat(selected(live.type("mail"))).containsExactly(waiting, elsewhere, running.id());
        assertThat(selected(live.type("mail").queue("other"))).containsExactly(elsewhere);
        assertThat(selected(TaskFilter.status(TaskStatus.FAILED))).containsExactly(failed.id());
        assertThat(selected(TaskFilter.status(TaskStatus.FAILED).queue("other")))
                .isEmpty();
        assertThat(selected(TaskFilter.status(TaskStatus.FAILED, TaskStatus.CANCELLED)
                        .type("mail")))
                .containsExactly(failed.id(), cancelled);
        assertThat(selected(TaskFilter.status(TaskStatus.SUCCEEDED))).isEmpty();
    }

    @Test
    void selectionIsBoundedByIdAndTimeOfCreation() {
        List<TaskId> ids = enqueued(5, mail());
        Instant created = find(ids.get(2)).createdAt();
        TaskFilter pending = TaskFilter.status(TaskStatus.PENDING);

        assertThat(selected(pending.upTo(ids.get(1)))).containsExactly(ids.get(0), ids.get(1));
        assertThat(selected(pending.createdBefore(created))).doesNotContain(ids.get(2), ids.get(4));
        assertThat(selected(pending.createdFrom(created))).contains(ids.get(2), ids.get(4));
        assertThat(selected(pending.createdFrom(created.plusSeconds(60)))).isEmpty();
        assertThat(selected(pending.createdFrom(LONG_AGO).createdBefore(created.plusSeconds(60))))
                .containsExactlyElementsOf(ids);
    }

    @Test
    void selectionThatIsCutOffSaysSoAndHoldsTheOldest() {
        List<TaskId> ids = enqueued(5, mail());
        AdminStore store = (AdminStore) store();
        TaskFilter pending = TaskFilter.status(TaskStatus.PENDING);

        assertThat(store.select(pending, 3)).isEqualTo(new TaskSelection(ids.subList(0, 3), true));
        assertThat(store.select(pending, 5)).isEqualTo(new TaskSelection(ids, false));
    }

    @Test
    void changeOfASelectionChangesExactlyItsTasksAndOnlyOnce() {
        enqueued(2_500, mail());
        TaskSelection selection = admin().select(TaskFilter.status(TaskStatus.PENDING));
        TaskId later = enqueued(mail());
        List<ClaimedTask> running = claim().room(3).tasks();
        complete(running.get(0));

        BulkResult first = run(admin()::cancelAll, selection);
        BulkResult second = run(admin()::cancelAll, selection);

        assertThat(first).isEqualTo(new BulkResult(2_499, Map.of(TaskStatus.SUCCEEDED, 1L), 0, 0, 0));
        assertThat(second)
                .isEqualTo(new BulkResult(0, Map.of(TaskStatus.SUCCEEDED, 1L, TaskStatus.CANCELLED, 2_499L), 0, 0, 0));
        assertThat(status(later)).isEqualTo(TaskStatus.PENDING);
        assertThat(complete(running.get(1))).isEmpty();
        assertThat(claim().ids()).containsExactly(later);
    }

    @Test
    void manyAreMovedTogether() {
        List<TaskId> ids = enqueued(1_200, mail());
        List<ClaimedTask> running = claim().room(2).tasks();

        BulkResult moved =
                run((selection, progress) -> admin().reprioritiseAll(selection, 10, progress), TaskSelection.of(ids));
        BulkResult putOff =
                run((selection, progress) -> admin().rescheduleAll(selection, FAR, progress), TaskSelection.of(ids));

        assertThat(moved).isEqualTo(new BulkResult(1_198, Map.of(TaskStatus.PROCESSING, 2L), 0, 0, 0));
        assertThat(putOff).isEqualTo(moved);
        assertThat(find(ids.get(700))).extracting(Task::priority, Task::dueAt).containsExactly(10, FAR);
        assertThat(claim().tasks()).isEmpty();
        assertThat(run(admin()::retryAllNow, TaskSelection.of(ids))).isEqualTo(moved);
        assertThat(claim().room(2).ids()).doesNotContain(running.get(0).id()).hasSize(2);
    }

    @Test
    void progressTellsWhatHasBeenDoneSoFar() throws InterruptedException {
        List<TaskId> ids = enqueued(2_100, mail());
        List<Long> seen = new ArrayList<>();

        admin().cancelAll(TaskSelection.of(ids), soFar -> seen.add(soFar.total()));

        assertThat(seen).containsExactly(1_000L, 2_000L, 2_100L);
    }

    @Test
    void interruptedChangeStopsBetweenBatchesAndIsFinishedByRepetition() {
        List<TaskId> ids = enqueued(2_100, mail());
        TaskSelection selection = TaskSelection.of(ids);

        boolean wasInterrupted = false;
        try {
            admin().cancelAll(selection, soFar -> Thread.currentThread().interrupt());
        } catch (InterruptedException e) {
            wasInterrupted = true;
        }

        assertThat(wasInterrupted).isTrue();
        assertThat(status(ids.get(999))).isEqualTo(TaskStatus.CANCELLED);
        assertThat(status(ids.get(1_000))).isEqualTo(TaskStatus.PENDING);
        assertThat(run(admin()::cancelAll, selection).changed()).isEqualTo(1_100);
    }

    /** An entry that a claim is about to take is not at two places, nor lost. */
    @Test
    void moveAgainstClaimEndsInOneOfBoth() {
        for (int round = 0; round < 50; round++) {
            TaskId id = enqueued(mail());

            List<Object> answers = ContractRace.run(List.<Callable<Object>>of(
                    () -> admin().reprioritise(id, 9), () -> admin().reschedule(id, FAR), () -> claim().tasks()));

            List<?> claimed = (List<?>) answers.get(2);
            assertThat(status(id)).isEqualTo(claimed.isEmpty() ? TaskStatus.PENDING : TaskStatus.PROCESSING);
            assertThat(answers.subList(0, 2))
                    .allSatisfy(answer -> assertThat(((TaskChange) answer).status())
                            .hasValueSatisfying(status -> assertThat(status).isIn(TaskStatus.PENDING, status(id))));
            store().cancel(id);
        }
    }

    @Test
    void selectionsThatOverlapAreChangedByBothWithoutLoss() {
        for (int round = 0; round < 10; round++) {
            List<TaskId> ids = enqueued(200, mail());
            claim().room(50).tasks();

            List<BulkResult> results = ContractRace.run(4, runner -> run(admin()::cancelAll, TaskSelection.of(ids)));

            assertThat(results.stream().mapToLong(BulkResult::changed).sum()).isEqualTo(200);
            assertThat(results).allSatisfy(result -> {
                assertThat(result.busy()).isZero();
                assertThat(result.total()).isEqualTo(200);
            });
        }
    }

    private List<TaskId> selected(TaskFilter filter) {
        return admin().select(filter).ids();
    }
}
