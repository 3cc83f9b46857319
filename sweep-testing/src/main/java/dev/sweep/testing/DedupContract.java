package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sweep.DedupKey;
import dev.sweep.DuplicateTaskException;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.OnDuplicate;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two enqueues with one key are one task, for as long as the key's scope says. */
abstract class DedupContract extends ContractPart {

    private static final Duration WINDOW = Duration.ofMillis(20);

    @Test
    void secondEnqueueOfAKeyGetsTheFirstId() {
        TaskId first = enqueued(mail().dedupKey("k").priority(2));

        List<Enqueued> second = enqueue(MAIL.with(Json.of("[1]")).dedupKey("k").priority(9));

        assertThat(second).containsExactly(new Enqueued(first, false));
        assertThat(find(first).priority()).isEqualTo(2);
        assertThat(find(first).payload()).isEqualTo("{}");
        assertThat(everything()).containsExactly(first);
    }

    @Test
    void tasksWithoutAKeyAreNeverDuplicates() {
        assertThat(enqueue(mail(), mail())).allMatch(Enqueued::isNew);
        assertThat(everything()).hasSize(2);
    }

    @Test
    void firstOfAKeyInOneCallCreatesAndTheOthersGetItsId() {
        List<Enqueued> answers = enqueue(
                mail().dedupKey("z").priority(3),
                mail(),
                mail().dedupKey("a"),
                mail().dedupKey("z").priority(7),
                mail().dedupKey("z"));

        assertThat(answers.stream().map(Enqueued::isNew)).containsExactly(true, true, true, false, false);
        assertThat(answers.get(3).id()).isEqualTo(answers.get(0).id());
        assertThat(answers.get(4).id()).isEqualTo(answers.get(0).id());
        assertThat(find(answers.get(0).id()).priority()).isEqualTo(3);
        assertThat(everything()).hasSize(3);
    }

    @Test
    void oneCallMayMixTakenAndFreeKeys() {
        TaskId taken = enqueued(mail().dedupKey("taken"));

        List<Enqueued> answers = enqueue(mail().dedupKey("free"), mail().dedupKey("taken"), mail());

        assertThat(answers.stream().map(Enqueued::isNew)).containsExactly(true, false, true);
        assertThat(answers.get(1).id()).isEqualTo(taken);
        assertThat(everything()).hasSize(3);
    }

    @Test
    void keysAreSharedByAllTypesAndQueues() {
        TaskId first = enqueued(mail().dedupKey("k"));

        assertThat(enqueue(BILL.with(Json.of("{}")).queue("other").dedupKey("k")))
                .containsExactly(new Enqueued(first, false));
    }

    @Test
    void keysAreComparedAsBytes() {
        List<NewTask<Json>> tasks =
                List.of("a", "A", "a ", " a", "\u00e9", "e\u0301", "\u00df", "ss", "a%", "a_").stream()
                        .map(key -> mail().dedupKey(key))
                        .toList();

        assertThat(enqueueAll(tasks)).hasSize(10).allMatch(Enqueued::isNew);
        assertThat(enqueueAll(tasks)).hasSize(10).noneMatch(Enqueued::isNew);
    }

    @Test
    void keyOfTheLargestSizeIsHeldWhole() {
        String longest = "\u00e9".repeat(512);
        String almost = "\u00e9".repeat(511) + "xx";
        TaskId first = enqueued(mail().dedupKey(longest));

        assertThat(enqueue(mail().dedupKey(almost)).get(0).isNew()).isTrue();
        assertThat(enqueue(mail().dedupKey(longest))).containsExactly(new Enqueued(first, false));
        assertThat(find(first).dedupKey()).contains(longest);
    }

    @Test
    void failOnDuplicateNamesTheOwnerAndStoresNothingOfTheCall() {
        TaskId owner = enqueued(mail().dedupKey("k"));

        assertThatThrownBy(() -> enqueue(mail(), mail().dedupKey("new"), orFail("k"), mail()))
                .asInstanceOf(type(DuplicateTaskException.class))
                .satisfies(thrown -> {
                    assertThat(thrown.dedupKey()).isEqualTo("k");
                    assertThat(thrown.owner()).isEqualTo(owner);
                });
        assertThat(everything()).containsExactly(owner);
        assertThat(enqueue(mail().dedupKey("new")).get(0).isNew()).isTrue();
    }

    @Test
    void failOnDuplicateStoresUnderAFreeKey() {
        assertThat(enqueue(orFail("k")).get(0).isNew()).isTrue();
        assertThat(everything()).hasSize(1);
    }

    @Test
    void failOnDuplicateCountsTasksOfTheSameCall() {
        assertThatThrownBy(() -> enqueue(orFail("k"), orFail("k")))
                .isInstanceOf(DuplicateTaskException.class)
                .hasMessageContaining("'k'");
        assertThat(everything()).isEmpty();
        assertThat(enqueue(mail().dedupKey("k")).get(0).isNew()).isTrue();
    }

    /** The table of scopes: in which states of its owner a key is taken. */
    @Test
    void ownersStateAndScopeDecideWhetherAKeyIsTaken() {
        for (TaskStatus state : TaskStatus.values()) {
            String name = state.word();
            assertTaken(true, state, DedupKey.of("retention-" + name));
            assertTaken(!state.isFinal(), state, DedupKey.of("finished-" + name).untilFinished());
            assertTaken(true, state, DedupKey.of("window-" + name).window(Duration.ofHours(1)));
        }
    }

    @Test
    void eachTaskOfOneCallHasTheScopeOfItsOwnKey() {
        NewTask<Json> kept = mail().dedupKey("kept");
        NewTask<Json> finished = mail().dedupKey(DedupKey.of("finished").untilFinished());
        NewTask<Json> windowed = mail().dedupKey(DedupKey.of("window").window(WINDOW));
        enqueue(kept, finished, windowed, mail());

        assertThat(enqueue(kept, finished)).noneMatch(Enqueued::isNew);
        complete(claim().tasks().toArray(ClaimedTask[]::new));
        passTime(WINDOW);

        assertThat(eventually(() -> enqueue(windowed).get(0), Enqueued::isNew).isNew())
                .isTrue();
        assertThat(enqueue(finished).get(0).isNew()).isTrue();
        assertThat(enqueue(kept).get(0).isNew()).isFalse();
    }

    @Test
    void windowEndsWhateverTheStateOfItsOwner() {
        for (TaskStatus state : TaskStatus.values()) {
            NewTask<Json> task = mail().dedupKey(DedupKey.of(state.word()).window(WINDOW));
            TaskId first = inState(state, task);
            passTime(WINDOW);

            Enqueued second = eventually(() -> enqueue(task).get(0), Enqueued::isNew);

            assertThat(second.id()).isNotEqualTo(first);
            assertThat(status(first)).isEqualTo(state);
            assertThat(store().cancel(second.id())).contains(TaskStatus.CANCELLED);
            store().cancel(first);
        }
    }

    @Test
    void retryingAndSnoozedOwnersHaveNotFinished() {
        NewTask<Json> task = mail().dedupKey(DedupKey.of("k").untilFinished());
        ClaimedTask owner = running(task);
        retry(owner, Duration.ofHours(1), "later");

        assertThat(enqueue(task)).containsExactly(new Enqueued(owner.id(), false));
    }

    @Test
    void scopeOfTheOwnerDecidesNotThatOfTheNewcomer() {
        TaskId kept = inState(TaskStatus.SUCCEEDED, mail().dedupKey(DedupKey.of("kept")));
        TaskId freed = inState(
                TaskStatus.SUCCEEDED, mail().dedupKey(DedupKey.of("freed").untilFinished()));

        assertThat(enqueue(mail().dedupKey(DedupKey.of("kept").untilFinished())))
                .containsExactly(new Enqueued(kept, false));
        Enqueued successor = enqueue(mail().dedupKey("freed")).get(0);
        assertThat(successor.isNew()).isTrue();
        assertThat(successor.id()).isNotEqualTo(freed);
    }

    @Test
    void keyThatWasTakenOverBelongsToItsNewOwner() {
        NewTask<Json> untilFinished = mail().dedupKey(DedupKey.of("k").untilFinished());
        inState(TaskStatus.FAILED, untilFinished);
        ClaimedTask second = running(mail().dedupKey("k"));
        complete(second);

        assertThat(enqueue(untilFinished)).containsExactly(new Enqueued(second.id(), false));
    }

    @Test
    void keyIsTakenOverOncePerCall() {
        NewTask<Json> task = mail().dedupKey(DedupKey.of("k").untilFinished());
        TaskId ended = inState(TaskStatus.CANCELLED, task);

        List<Enqueued> answers = enqueue(task, task);

        assertThat(answers.stream().map(Enqueued::isNew)).containsExactly(true, false);
        assertThat(answers.get(1).id()).isEqualTo(answers.get(0).id()).isNotEqualTo(ended);
    }

    @Test
    void failOnDuplicateTakesOverTheKeyOfAnOwnerThatHasEnded() {
        inState(TaskStatus.SUCCEEDED, mail().dedupKey(DedupKey.of("k").untilFinished()));

        assertThat(enqueue(orFail("k")).get(0).isNew()).isTrue();
    }

    private void assertTaken(boolean isTaken, TaskStatus state, DedupKey key) {
        TaskId owner = inState(state, mail().dedupKey(key));

        Enqueued again = enqueue(mail().dedupKey(key)).get(0);

        assertThat(again.isNew()).as("%s of a %s owner is free", key, state).isEqualTo(!isTaken);
        assertThat(again.id().equals(owner)).as("%s of a %s owner", key, state).isEqualTo(isTaken);
        store().cancel(again.id());
        store().cancel(owner);
    }

    /** A new task that has come to this status; no other may wait. */
    private TaskId inState(TaskStatus state, NewTask<Json> task) {
        if (state == TaskStatus.PENDING) {
            return enqueued(task);
        }
        ClaimedTask running = running(task);
        switch (state) {
            case SUCCEEDED -> complete(running);
            case FAILED -> failForGood(running, "broken");
            case CANCELLED -> store().cancel(running.id());
            case PENDING, PROCESSING -> {}
        }
        assertThat(status(running.id())).isEqualTo(state);
        return running.id();
    }

    private static NewTask<Json> orFail(String key) {
        return mail().dedupKey(key).onDuplicate(OnDuplicate.FAIL);
    }

    private List<TaskId> everything() {
        return store().list(TaskQuery.newest().limit(100)).stream()
                .map(task -> task.id())
                .toList();
    }
}
