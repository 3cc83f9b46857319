package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.INSTANT;

import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How attempts end well, and whose word is not accepted. */
abstract class CompleteContract extends ContractPart {

    @Test
    void completedTaskHasSucceeded() {
        ClaimedTask claimed = running(mail());

        assertThat(complete(claimed)).containsExactly(claimed.attempt());

        Task task = find(claimed.id());
        assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(task.retryCount()).isZero();
        assertThat(task.losses()).isZero();
        assertThat(task.error()).isEmpty();
        assertThat(task.startedAt()).isPresent();
        assertThat(task.finishedAt())
                .get(INSTANT)
                .isAfterOrEqualTo(task.startedAt().orElseThrow());
    }

    @Test
    void completedTaskIsNeverClaimedAgain() {
        complete(running(mail()));

        assertThat(claim().lostRoom(1).afresh().tasks()).isEmpty();
        assertThat(reclaimNow(10).size()).isZero();
    }

    @Test
    void aResultIsKeptExactly() {
        ClaimedTask with = running(mail());
        ClaimedTask without = running(mail());
        String result = "{\"sum\": 12345678901234567890.10}";

        store().complete(List.of(
                new Completion(with.attempt(), RUN_TIME, result), new Completion(without.attempt(), RUN_TIME)));

        assertThat(find(with.id()).result()).contains(result);
        assertThat(find(without.id()).result()).isEmpty();
    }

    @Test
    void nothingInIsNothingOut() {
        assertThat(store().complete(List.of())).isEmpty();
    }

    @Test
    void partsOfAClaimEndOnTheirOwn() {
        enqueued(3, mail());
        List<ClaimedTask> tasks = claim().tasks();

        assertThat(complete(tasks.get(1))).containsExactly(tasks.get(1).attempt());

        assertThat(status(tasks.get(0).id())).isEqualTo(TaskStatus.PROCESSING);
        assertThat(status(tasks.get(1).id())).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(complete(tasks.get(0), tasks.get(2)))
                .containsExactlyInAnyOrder(tasks.get(0).attempt(), tasks.get(2).attempt());
    }

    @Test
    void oneCallEndsAttemptsOfManyClaimsInAnyOrder() {
        enqueued(300, mail());
        List<ClaimedTask> tasks = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            tasks.addAll(claim().room(10).tasks());
        }
        Collections.reverse(tasks);

        assertThat(complete(tasks.toArray(ClaimedTask[]::new)))
                .containsExactlyInAnyOrderElementsOf(
                        tasks.stream().map(ClaimedTask::attempt).toList());
        assertThat(tasks).allMatch(task -> status(task.id()) == TaskStatus.SUCCEEDED);
    }

    @Test
    void secondCompletionIsRefused() {
        ClaimedTask task = running(mail());
        complete(task);
        Task first = find(task.id());

        assertThat(complete(task)).isEmpty();
        assertThat(find(task.id())).isEqualTo(first);
    }

    @Test
    void sameAttemptTwiceInOneCallCountsOnce() {
        ClaimedTask task = running(mail());

        assertThat(complete(task, task)).containsExactly(task.attempt());
        assertThat(status(task.id())).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void unknownAttemptsAreRefusedAndTheOthersAccepted() {
        ClaimedTask task = running(mail());
        ClaimedTask other = running(mail());
        List<Attempt> unknown = List.of(
                new Attempt(task.attempt().lease() + 1_000, task.id()),
                new Attempt(other.attempt().lease(), task.id()),
                new Attempt(task.attempt().lease(), TaskId.of(1)),
                new Attempt(0, task.id()));
        List<Completion> completions = new ArrayList<>();
        unknown.forEach(attempt -> completions.add(new Completion(attempt, RUN_TIME)));
        completions.add(1, new Completion(other.attempt(), RUN_TIME));

        assertThat(store().complete(completions)).containsExactly(other.attempt());
        assertThat(status(task.id())).isEqualTo(TaskStatus.PROCESSING);
        assertThat(complete(task)).containsExactly(task.attempt());
    }

    @Test
    void waitingTaskCanNotBeCompleted() {
        TaskId id = enqueued(mail());

        assertThat(store().complete(List.of(new Completion(new Attempt(1, id), RUN_TIME))))
                .isEmpty();
        assertThat(status(id)).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void lapsedAttemptMayEndAsLongAsNobodyTookItBack() {
        ClaimedTask task = lapsed(mail());

        assertThat(complete(task)).containsExactly(task.attempt());
        assertThat(reclaimNow(10).size()).isZero();
    }

    @Test
    void runTimesOfAnyLengthAreTaken() {
        ClaimedTask none = running(mail());
        ClaimedTask long_ = running(mail());

        assertThat(store().complete(List.of(
                        new Completion(none.attempt(), Duration.ZERO),
                        new Completion(long_.attempt(), Duration.ofDays(400)))))
                .hasSize(2);
    }
}
