package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same promises, when everybody comes at once. */
abstract class RaceContract extends ContractPart {

    @Test
    void oneKeyIsOneTaskHoweverManyEnqueueIt() {
        for (int round = 0; round < 20; round++) {
            NewTask<Json> task = mail().dedupKey("round-" + round);

            List<Enqueued> answers =
                    ContractRace.run(16, runner -> enqueue(task).get(0));

            assertThat(answers.stream().map(Enqueued::id).distinct()).hasSize(1);
            assertThat(answers.stream().filter(Enqueued::isNew)).hasSize(1);
            assertThat(store().find(answers.get(0).id())).isPresent();
        }
        assertThat(store().list(TaskQuery.newest().limit(100))).hasSize(20);
    }

    @Test
    void keyOfAnEndedOwnerIsTakenOverOnce() {
        for (int round = 0; round < 20; round++) {
            NewTask<Json> task = mail().dedupKey(DedupKey.of("round-" + round).untilFinished());
            TaskId ended = enqueued(task);
            store().cancel(ended);

            List<Enqueued> answers = ContractRace.run(8, runner -> enqueue(task).get(0));

            assertThat(answers.stream().map(Enqueued::id).distinct()).hasSize(1).doesNotContain(ended);
            assertThat(answers.stream().filter(Enqueued::isNew)).hasSize(1);
        }
    }

    @Test
    void keyFreedWhileItIsEnqueuedNeverGetsLost() {
        for (int round = 0; round < 50; round++) {
            NewTask<Json> task = mail().dedupKey(DedupKey.of("round-" + round).untilFinished());
            ClaimedTask owner = running(task);

            List<Object> answers = ContractRace.run(List.<Callable<Object>>of(
                    () -> complete(owner), () -> enqueue(task).get(0)));

            assertThat((Collection<?>) answers.get(0)).hasSize(1);
            Enqueued enqueued = (Enqueued) answers.get(1);
            assertThat(enqueued.isNew()).isEqualTo(!enqueued.id().equals(owner.id()));
            assertThat(status(owner.id())).isEqualTo(TaskStatus.SUCCEEDED);
            store().cancel(enqueued.id());
        }
    }

    @Test
    void bulkEnqueuesWithKeysInOppositeOrderNeverBlockEachOther() {
        for (int round = 0; round < 50; round++) {
            List<NewTask<Json>> ascending = keyed("round-" + round + "-", 50);
            List<NewTask<Json>> descending = new ArrayList<>(ascending);
            Collections.reverse(descending);

            List<List<Enqueued>> answers =
                    ContractRace.run(2, runner -> enqueueAll(runner == 0 ? ascending : descending));

            List<Enqueued> reversed = new ArrayList<>(answers.get(1));
            Collections.reverse(reversed);
            for (int key = 0; key < 50; key++) {
                Enqueued one = answers.get(0).get(key);
                Enqueued other = reversed.get(key);
                assertThat(one.id()).isEqualTo(other.id());
                assertThat(one.isNew()).isNotEqualTo(other.isNew());
            }
        }
    }

    @Test
    void claimersNeverGetTheSameTaskNorMoreThanTheirRoom() {
        List<TaskId> ids = enqueued(400, mail());

        List<List<TaskId>> claimed = ContractRace.run(16, runner -> {
            List<TaskId> mine = new ArrayList<>();
            List<TaskId> some = claim().worker("w" + runner).room(7).ids();
            while (!some.isEmpty()) {
                assertThat(some).hasSizeLessThanOrEqualTo(7);
                mine.addAll(some);
                some = claim().worker("w" + runner).room(7).ids();
            }
            return mine;
        });

        List<TaskId> all =
                new ArrayList<>(claimed.stream().flatMap(List::stream).toList());
        // A claimer may see nothing while others still hold rows that they are about to take.
        all.addAll(claim().room(400).ids());
        assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void leasesOfClaimersAreDistinct() {
        enqueued(200, mail());

        List<Long> leases = ContractRace.run(
                        16, runner -> claim().worker("w" + runner).room(5).take())
                .stream()
                .filter(claim -> !claim.tasks().isEmpty())
                .map(claim -> claim.lease())
                .toList();

        assertThat(leases).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void onlyOneOfManyCompletionsIsAccepted() {
        for (int round = 0; round < 20; round++) {
            ClaimedTask task = running(mail());

            List<Set<Attempt>> accepted = ContractRace.run(8, runner -> complete(task));

            assertThat(accepted.stream().filter(answer -> !answer.isEmpty())).hasSize(1);
        }
    }

    @Test
    void overlappingFlushesInOppositeOrderNeverBlockEachOther() {
        for (int round = 0; round < 20; round++) {
            enqueued(60, mail());
            List<ClaimedTask> tasks = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                tasks.addAll(claim().room(10).tasks());
            }
            List<ClaimedTask> reversed = new ArrayList<>(tasks);
            Collections.reverse(reversed);

            List<Set<Attempt>> accepted = ContractRace.run(
                    2, runner -> complete((runner == 0 ? tasks : reversed).toArray(ClaimedTask[]::new)));

            List<Attempt> all = accepted.stream().flatMap(Collection::stream).toList();
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            tasks.stream().map(ClaimedTask::attempt).toList());
        }
    }

    /** Everything that may happen to an attempt happens at once: one wins, and the task tells which. */
    @Test
    void attemptEndsInExactlyOneWay() {
        for (int round = 0; round < 60; round++) {
            ClaimedTask task = lapsed(mail());
            HeartbeatRequest beat = new HeartbeatRequest(
                    "w1", Duration.ofMillis(1), Set.of(task.attempt().lease()), Set.of(task.attempt()));

            List<Object> answers = ContractRace.run(List.<Callable<Object>>of(
                    () -> complete(task),
                    () -> failForGood(task, "broken"),
                    () -> store().cancel(task.id()),
                    () -> reclaimNow(10),
                    () -> store().snooze(List.of(new Snooze(task.attempt(), Duration.ofHours(1)))),
                    () -> store().heartbeat(beat)));

            boolean completed = !((Collection<?>) answers.get(0)).isEmpty();
            boolean failed = !((Collection<?>) answers.get(1)).isEmpty();
            boolean snoozed = !((Collection<?>) answers.get(4)).isEmpty();
            boolean reclaimed = ((Reclaimed) answers.get(3)).size() > 0;
            Optional<?> saidByCancel = (Optional<?>) answers.get(2);
            TaskStatus status = status(task.id());

            // Cancel comes to an end in any case: after a snooze or reclaim the task waits, and is cancelled there.
            assertThat(status.isFinal()).isTrue();
            assertThat(saidByCancel.map(Object.class::cast)).contains(status);
            assertThat(status == TaskStatus.SUCCEEDED).isEqualTo(completed);
            assertThat(status == TaskStatus.FAILED).isEqualTo(failed);
            assertThat(List.of(completed, failed, snoozed, reclaimed).stream().filter(won -> won))
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(find(task.id()).losses()).isEqualTo(reclaimed ? 1 : 0);
        }
    }

    @Test
    void cancelAgainstClaimLeavesTheTaskCancelled() {
        for (int round = 0; round < 50; round++) {
            TaskId id = enqueued(mail());

            List<Object> answers = ContractRace.run(
                    List.<Callable<Object>>of(() -> store().cancel(id).orElseThrow(), () -> claim().tasks()));

            assertThat(answers.get(0)).isEqualTo(TaskStatus.CANCELLED);
            for (Object claimed : (List<?>) answers.get(1)) {
                assertThat(complete((ClaimedTask) claimed)).isEmpty();
            }
            assertThat(status(id)).isEqualTo(TaskStatus.CANCELLED);
        }
    }

    @Test
    void reclaimersNeverTakeTheSameAttempt() {
        for (int round = 0; round < 10; round++) {
            enqueued(20, mail());
            claim().room(20).lease(Duration.ofMillis(1)).tasks();
            passTime(Duration.ofMillis(1));

            List<Attempt> taken = new ArrayList<>();
            eventually(
                    () -> {
                        ContractRace.run(4, runner -> reclaimNow(7)).forEach(some -> taken.addAll(some.returned()));
                        return taken.size();
                    },
                    size -> size >= 20);

            assertThat(taken).hasSize(20).doesNotHaveDuplicates();
            taken.forEach(attempt -> store().cancel(attempt.id()));
        }
    }

    /** Workers that complete, retry, snooze, release and lose tasks at random, until all is done. */
    @Test
    void everyTaskSucceedsExactlyOnceWhateverHappensOnTheWay() {
        List<TaskId> ids = enqueued(300, MAIL.maxRetries(1_000).maxLosses(1_000).with(Json.of("{}")));
        Map<TaskId, Integer> successes = new ConcurrentHashMap<>();
        AtomicInteger open = new AtomicInteger(ids.size());

        ContractRace.run(8, runner -> {
            int turn = runner;
            while (open.get() > 0 && !Thread.currentThread().isInterrupted()) {
                boolean willLose = turn % 11 == 0;
                List<ClaimedTask> tasks = claim().worker("w" + runner)
                        .room(9)
                        .lostRoom(2)
                        .lease(willLose ? Duration.ofMillis(1) : Duration.ofHours(1))
                        .tasks();
                for (ClaimedTask task : willLose ? List.<ClaimedTask>of() : tasks) {
                    endSomehow(task, turn++).forEach(attempt -> {
                        successes.merge(attempt.id(), 1, Integer::sum);
                        open.decrementAndGet();
                    });
                }
                turn++;
                passTime(Duration.ofMillis(2));
                reclaimNow(50);
            }
            return turn;
        });

        assertThat(successes)
                .containsOnlyKeys(ids)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
        assertThat(ids).allMatch(id -> status(id) == TaskStatus.SUCCEEDED);
    }

    /** The attempt if it was accepted as completed. */
    private Set<Attempt> endSomehow(ClaimedTask task, int turn) {
        switch (turn % 5) {
            case 0 -> retry(task, Duration.ofMillis(1), "again");
            case 1 -> store().snooze(List.of(new Snooze(task.attempt(), Duration.ofMillis(1))));
            case 2 -> store().release(List.of(task.attempt()));
            default -> {
                return complete(task);
            }
        }
        return Set.of();
    }

    private static List<NewTask<Json>> keyed(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> mail().dedupKey(prefix + i))
                .toList();
    }
}
