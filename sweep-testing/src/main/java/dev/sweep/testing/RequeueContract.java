package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sweep.BulkResult;
import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskChange;
import dev.sweep.TaskFailure;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A requeue makes one new task of one that has failed or was cancelled. */
abstract class RequeueContract extends AdminPart {

    @Test
    void failedTaskBecomesANewOneWithAllItsRetries() {
        TaskId old = failed(MAIL.maxRetries(7)
                .with(Json.of("{\"n\": 1}"))
                .queue("bulk")
                .priority(6)
                .header("tenant", "7"));
        Task before = find(old);

        TaskChange answer = admin().requeue(old);

        assertThat(answer.kind()).isEqualTo(TaskChange.Kind.CHANGED);
        TaskId id = answer.requeuedAs().orElseThrow();
        Task task = find(id);
        assertThat(id).isGreaterThan(old);
        assertThat(task)
                .usingRecursiveComparison()
                .comparingOnlyFields("type", "queue", "priority", "payload", "headers", "maxRetries", "dedupKey")
                .isEqualTo(before);
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task.retryCount()).isZero();
        assertThat(task.losses()).isZero();
        assertThat(task.error()).isEmpty();
        assertThat(task.createdAt()).isAfterOrEqualTo(before.createdAt());
        assertThat(task.dueAt()).isEqualTo(task.createdAt());
        assertThat(task.requeuedFrom()).contains(old);
        assertThat(task.finishedAt()).isEmpty();
        assertThat(store().find(old)).isEmpty();
        assertThat(claim().queue("bulk", 5).ids()).containsExactly(id);
    }

    @Test
    void cancelledTaskIsRequeuedToo() {
        TaskId old = enqueued(mail().delay(Duration.ofDays(1)));
        store().cancel(old);

        TaskId id = requeued(old);

        assertThat(claim().ids()).containsExactly(id);
    }

    @Test
    void onlyFailedAndCancelledTasksAreRequeued() {
        TaskId pending = enqueued(mail().delay(Duration.ofDays(1)));
        ClaimedTask running = running(mail());
        ClaimedTask succeeded = running(mail());
        complete(succeeded);

        assertThat(admin().requeue(pending)).isEqualTo(TaskChange.unchanged(pending, TaskStatus.PENDING));
        assertThat(admin().requeue(running.id())).isEqualTo(TaskChange.unchanged(running.id(), TaskStatus.PROCESSING));
        assertThat(admin().requeue(succeeded.id()))
                .isEqualTo(TaskChange.unchanged(succeeded.id(), TaskStatus.SUCCEEDED));
        assertThat(admin().requeue(TaskId.of(1)).kind()).isEqualTo(TaskChange.Kind.NO_SUCH_TASK);
        assertThat(complete(running)).hasSize(1);
        assertThat(claim().tasks()).isEmpty();
    }

    @Test
    void secondRequeueAnswersWithTheSameTask() {
        TaskId old = failed(mail());
        TaskId id = requeued(old);

        assertThat(admin().requeue(old)).isEqualTo(TaskChange.requeuedBefore(old, id));
        complete(claimOne());
        assertThat(admin().requeue(old)).isEqualTo(TaskChange.requeuedBefore(old, id));
        assertThat(claim().tasks()).isEmpty();
    }

    @Test
    void secondRequeueAnswersWithTheSameTaskThoughThatHasFailedToo() {
        TaskId old = failed(mail());
        TaskId id = requeued(old);
        failForGood(claimOne(), "again");

        assertThat(admin().requeue(old)).isEqualTo(TaskChange.requeuedBefore(old, id));
        assertThat(status(id)).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void requeuedTaskThatFailsAgainIsRequeuedAgain() {
        TaskId first = failed(mail());
        TaskId second = requeued(first);
        failForGood(claimOne(), "again");

        TaskId third = requeued(second);

        assertThat(find(third).requeuedFrom()).contains(second);
        assertThat(admin().requeue(first).kind()).isEqualTo(TaskChange.Kind.NO_SUCH_TASK);
        assertThat(claim().ids()).containsExactly(third);
    }

    @Test
    void failuresStayWithTheNewTaskAndAreNotItsOwn() {
        ClaimedTask running = running(mail());
        retry(running, Duration.ZERO, "no route");
        failForGood(claimOne(), "broken");
        TaskId second = requeued(running.id());
        ClaimedTask again = claimOne();
        assertThat(again.retries()).isZero();
        failForGood(again, "third");
        TaskId third = requeued(second);

        assertThat(admin().failures(third))
                .extracting(TaskFailure::ranAs, TaskFailure::attempt, TaskFailure::message)
                .containsExactly(
                        tuple(running.id(), 1, "no route"),
                        tuple(running.id(), 2, "broken"),
                        tuple(second, 1, "third"));
        assertThat(find(third)).extracting(Task::retryCount, Task::error).containsExactly(0, Optional.empty());
        assertThat(admin().failures(running.id())).isEmpty();
    }

    @Test
    void totalsFollow() {
        TaskId failed = failed(mail());
        TaskId cancelled = enqueued(mail());
        store().cancel(cancelled);
        failed(mail());

        requeued(failed);
        requeued(cancelled);

        assertThat(count(TaskStatus.FAILED)).isEqualTo(1);
        assertThat(count(TaskStatus.CANCELLED)).isZero();
        assertThat(count(TaskStatus.PENDING)).isEqualTo(2);
        assertThat(store().counts().stream()
                        .filter(count -> count.status() == TaskStatus.FAILED)
                        .findFirst()
                        .flatMap(StatusCount::averageDuration))
                .contains(RUN_TIME);
    }

    /** Case B10: the key protects the new task as it protected the old one. */
    @Test
    void keyPassesOnToTheNewTask() {
        NewTask<Json> keyed = mail().dedupKey("K");
        TaskId old = failed(keyed);
        assertThat(enqueue(keyed)).containsExactly(new Enqueued(old, false));

        TaskId id = requeued(old);

        assertThat(find(id).dedupKey()).contains("K");
        assertThat(enqueue(keyed)).containsExactly(new Enqueued(id, false));
    }

    @Test
    void keyThatEndedWithItsTaskProtectsAgainOnceItIsRequeued() {
        NewTask<Json> keyed = mail().dedupKey(DedupKey.of("K").untilFinished());
        TaskId old = failed(keyed);

        TaskId id = requeued(old);

        assertThat(enqueue(keyed)).containsExactly(new Enqueued(id, false));
        complete(claimOne());
        assertThat(enqueue(keyed).get(0).isNew()).isTrue();
    }

    @Test
    void keyThatAnotherTaskTookOverStaysThere() {
        NewTask<Json> keyed = mail().dedupKey(DedupKey.of("K").untilFinished());
        TaskId old = failed(keyed);
        TaskId owner = enqueued(keyed);

        TaskId id = requeued(old);

        assertThat(find(id).dedupKey()).isEmpty();
        assertThat(enqueue(keyed)).containsExactly(new Enqueued(owner, false));
        assertThat(claim().ids()).containsExactlyInAnyOrder(owner, id);
        assertThat(requeuedAfterFailure(id)).isGreaterThan(id);
    }

    @Test
    void windowOfAKeyIsNotProlonged() {
        Duration window = Duration.ofMillis(300);
        NewTask<Json> keyed = mail().dedupKey(DedupKey.of("K").window(window));
        TaskId old = failed(keyed);
        TaskId id = requeued(old);
        passTime(window);

        Enqueued next = eventually(() -> enqueue(keyed).get(0), Enqueued::isNew);

        assertThat(next.id()).isGreaterThan(id);
    }

    @Test
    void manyAreRequeuedTogether() {
        List<TaskId> ids = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            ids.add(enqueued(mail().dedupKey("K" + i)));
        }
        ids.forEach(store()::cancel);
        ids.add(enqueued(mail()));
        ids.add(TaskId.of(1));

        BulkResult first = run(admin()::requeueAll, TaskSelection.of(ids));
        BulkResult second = run(admin()::requeueAll, TaskSelection.of(ids));

        assertThat(first).isEqualTo(new BulkResult(1_100, Map.of(TaskStatus.PENDING, 1L), 0, 1, 0));
        assertThat(second).isEqualTo(new BulkResult(0, Map.of(TaskStatus.PENDING, 1L), 1_100, 1, 0));
        assertThat(count(TaskStatus.PENDING)).isEqualTo(1_101);
    }

    /** Case B93: twice within a moment, from many sessions. */
    @Test
    void requeuesAtOnceMakeOneTask() {
        for (int round = 0; round < 30; round++) {
            TaskId old = failed(mail());

            List<TaskChange> answers = ContractRace.run(6, runner -> admin().requeue(old));

            assertThat(answers.stream().filter(answer -> answer.kind() == TaskChange.Kind.CHANGED))
                    .hasSize(1);
            assertThat(answers.stream().map(TaskChange::requeuedAs).distinct())
                    .hasSize(1)
                    .doesNotContain(Optional.empty());
            complete(claimOne());
        }
    }

    @Test
    void overlappingRequeuesOfManyMakeOneTaskEach() {
        for (int round = 0; round < 5; round++) {
            List<TaskId> ids = enqueued(150, mail());
            ids.forEach(store()::cancel);

            List<BulkResult> results = ContractRace.run(4, runner -> run(admin()::requeueAll, TaskSelection.of(ids)));

            assertThat(results.stream().mapToLong(BulkResult::changed).sum()).isEqualTo(150);
            assertThat(results)
                    .allSatisfy(result -> assertThat(result.changed() + result.requeuedBefore())
                            .isEqualTo(150));
            assertThat(claim().room(1_000).ids()).hasSize(150);
        }
    }

    /** Whoever enqueues the key meanwhile is told of a task that is there. */
    @Test
    void keyEnqueuedWhileItsOwnerIsRequeuedNeverGetsLost() {
        for (int round = 0; round < 60; round++) {
            boolean isFreed = round % 2 == 0;
            DedupKey key = DedupKey.of("round-" + round);
            NewTask<Json> keyed = mail().dedupKey(isFreed ? key.untilFinished() : key);
            TaskId old = failed(keyed);

            List<Object> answers = ContractRace.run(List.<Callable<Object>>of(
                    () -> admin().requeue(old),
                    () -> enqueue(keyed).get(0),
                    () -> enqueue(keyed).get(0)));

            TaskId fresh = ((TaskChange) answers.get(0)).requeuedAs().orElseThrow();
            TaskId owner = enqueue(keyed).get(0).id();
            for (Object answer : answers.subList(1, 3)) {
                Enqueued enqueued = (Enqueued) answer;
                assertThat(enqueued.id()).isIn(old, fresh, owner);
                // "Duplicate of the old one" was true when it was said: the requeue came after.
                assertThat(enqueued.isNew() && List.of(old, fresh).contains(enqueued.id()))
                        .isFalse();
                assertThat(isFreed && enqueued.id().equals(old)).isFalse();
            }
            assertThat(find(fresh).dedupKey().isPresent()).isEqualTo(owner.equals(fresh));
            claim().tasks().forEach(task -> complete(task));
        }
    }

    private TaskId requeuedAfterFailure(TaskId running) {
        store().cancel(running);
        return requeued(running);
    }
}
