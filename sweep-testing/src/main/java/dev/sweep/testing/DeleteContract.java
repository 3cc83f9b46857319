package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.BulkResult;
import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Task;
import dev.sweep.TaskChange;
import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.spi.ClaimedTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Failed tasks are found like others, and deleted for ever. */
abstract class DeleteContract extends AdminPart {

    @Test
    void failedTaskIsDeletedWithItsFailures() {
        TaskId id = failed(mail());
        TaskId other = failed(mail());

        assertThat(admin().delete(id)).isEqualTo(TaskChange.deleted(id));

        assertThat(store().find(id)).isEmpty();
        assertThat(admin().failures(id)).isEmpty();
        assertThat(admin().delete(id).kind()).isEqualTo(TaskChange.Kind.NO_SUCH_TASK);
        assertThat(admin().requeue(id).kind()).isEqualTo(TaskChange.Kind.NO_SUCH_TASK);
        assertThat(store().cancel(id)).isEmpty();
        assertThat(listed(TaskQuery.newest())).containsExactly(other);
        assertThat(admin().failures(other)).hasSize(1);
    }

    @Test
    void onlyFailedTasksAreDeleted() {
        TaskId pending = enqueued(mail().queue("other"));
        TaskId cancelled = enqueued(mail());
        store().cancel(cancelled);
        ClaimedTask succeeded = running(mail());
        complete(succeeded);
        ClaimedTask running = running(mail());

        assertThat(admin().delete(pending)).isEqualTo(TaskChange.unchanged(pending, TaskStatus.PENDING));
        assertThat(admin().delete(cancelled)).isEqualTo(TaskChange.unchanged(cancelled, TaskStatus.CANCELLED));
        assertThat(admin().delete(succeeded.id()))
                .isEqualTo(TaskChange.unchanged(succeeded.id(), TaskStatus.SUCCEEDED));
        assertThat(admin().delete(running.id())).isEqualTo(TaskChange.unchanged(running.id(), TaskStatus.PROCESSING));
        assertThat(admin().delete(TaskId.of(1)).kind()).isEqualTo(TaskChange.Kind.NO_SUCH_TASK);
        assertThat(complete(running)).hasSize(1);
        assertThat(claim().queue("other", 5).ids()).containsExactly(pending);
    }

    @Test
    void failedTaskIsFoundSelectedAndLeftAloneByOtherChanges() {
        TaskId first = failed(mail().priority(4));
        TaskId second = failed(BILL.with(Json.of("{}")));
        TaskId third = failed(mail().queue("other"));
        TaskFilter failed = TaskFilter.status(TaskStatus.FAILED);

        assertThat(find(first)).extracting(Task::status, Task::priority).containsExactly(TaskStatus.FAILED, 4);
        assertThat(listed(TaskQuery.newest().status(TaskStatus.FAILED))).containsExactly(third, second, first);
        assertThat(listed(TaskQuery.newest().limit(1).before(third))).containsExactly(second);
        assertThat(listed(TaskQuery.newest().status(TaskStatus.FAILED).type("mail")))
                .containsExactly(third, first);
        assertThat(admin().select(failed.type("mail")).ids()).containsExactly(first, third);
        assertThat(admin().select(failed.upTo(second)).ids()).containsExactly(first, second);
        assertThat(admin().select(failed.createdFrom(find(first).createdAt())).ids())
                .contains(first, second, third);
        assertThat(admin().select(failed.createdBefore(find(first).createdAt())).ids())
                .isEmpty();
        assertThat(store().cancel(first)).contains(TaskStatus.FAILED);
        assertThat(admin().cancel(first)).isEqualTo(TaskChange.unchanged(first, TaskStatus.FAILED));
        assertThat(admin().retryNow(first)).isEqualTo(TaskChange.unchanged(first, TaskStatus.FAILED));
        assertThat(admin().reprioritise(first, 9)).isEqualTo(TaskChange.unchanged(first, TaskStatus.FAILED));
    }

    @Test
    void keyOfADeletedTaskIsFree() {
        NewTask<Json> keyed = mail().dedupKey("K");
        TaskId old = failed(keyed);
        assertThat(enqueue(keyed)).containsExactly(new Enqueued(old, false));

        admin().delete(old);

        assertThat(enqueue(keyed).get(0).isNew()).isTrue();
    }

    @Test
    void keyThatAnotherTaskTookOverStaysThere() {
        NewTask<Json> keyed = mail().dedupKey(DedupKey.of("K").untilFinished());
        TaskId old = failed(keyed);
        TaskId owner = enqueued(keyed);

        admin().delete(old);

        assertThat(enqueue(keyed)).containsExactly(new Enqueued(owner, false));
    }

    @Test
    void totalsFollow() {
        TaskId id = failed(mail());
        failed(mail());

        admin().delete(id);

        assertThat(count(TaskStatus.FAILED)).isEqualTo(1);
    }

    @Test
    void manyAreDeletedTogether() {
        List<TaskId> ids = new ArrayList<>(enqueued(1_100, mail()));
        claim().room(2_000).tasks().forEach(task -> failForGood(task, "broken"));
        ids.add(enqueued(mail()));
        TaskSelection selection = TaskSelection.of(ids);

        assertThat(run(admin()::deleteAll, selection))
                .isEqualTo(new BulkResult(1_100, Map.of(TaskStatus.PENDING, 1L), 0, 0, 0));
        assertThat(run(admin()::deleteAll, selection))
                .isEqualTo(new BulkResult(0, Map.of(TaskStatus.PENDING, 1L), 0, 1_100, 0));
        assertThat(count(TaskStatus.FAILED)).isZero();
    }

    @Test
    void deleteAgainstRequeueEndsInOneOfBoth() {
        for (int round = 0; round < 30; round++) {
            TaskId id = failed(mail());

            List<TaskChange> answers = ContractRace.run(List.<Callable<TaskChange>>of(
                    () -> admin().delete(id), () -> admin().requeue(id), () -> admin().delete(id)));

            List<TaskChange> changed = answers.stream()
                    .filter(answer -> answer.kind() == TaskChange.Kind.CHANGED)
                    .toList();
            assertThat(changed).as("of " + answers).hasSize(1);
            List<ClaimedTask> live = claim().tasks();
            assertThat(live).hasSize(changed.get(0).requeuedAs().isPresent() ? 1 : 0);
            live.forEach(task -> complete(task));
        }
    }

    /** Whoever enqueues the key meanwhile owns it at last, or was told of a task that was there. */
    @Test
    void keyEnqueuedWhileItsOwnerIsDeletedNeverGetsLost() {
        for (int round = 0; round < 30; round++) {
            NewTask<Json> keyed = mail().dedupKey("round-" + round);
            TaskId old = failed(keyed);

            List<Object> answers = ContractRace.run(List.<Callable<Object>>of(
                    () -> admin().delete(old),
                    () -> enqueue(keyed).get(0),
                    () -> enqueue(keyed).get(0)));

            TaskId owner = enqueue(keyed).get(0).id();
            assertThat(owner).isNotEqualTo(old);
            assertThat(answers.subList(1, 3))
                    .allSatisfy(answer -> assertThat(((Enqueued) answer).id()).isIn(old, owner));
            assertThat(claim().ids()).containsExactly(owner);
        }
    }

    private List<TaskId> listed(TaskQuery query) {
        return store().list(query).stream().map(Task::id).toList();
    }
}
