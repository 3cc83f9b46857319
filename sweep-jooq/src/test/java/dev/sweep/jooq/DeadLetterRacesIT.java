package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mover against whoever else wants the same failed tasks: none is lost, and none is live twice. */
class DeadLetterRacesIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final int ROUNDS = 25;
    private static final int TASKS = 12;
    private static final int RUNS = 2;

    private static StoreUnderTest test;
    private static ExecutorService threads;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("dead_letter_races");
        threads = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void drop() {
        threads.shutdownNow();
        test.close();
    }

    @BeforeEach
    void empty() {
        test.empty();
    }

    @AfterEach
    void checkInvariants() {
        test.checkInvariants();
    }

    @Test
    void moverAgainstTwoRequeuesMakesOneTaskOfEach() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Set<TaskId> ids = failed("round-" + round);

            List<List<TaskChange>> answers =
                    race(() -> moved(), () -> test.store.requeue(ids), () -> test.store.requeue(ids), () -> moved());

            List<TaskChange> all = answers.stream().flatMap(List::stream).toList();
            assertThat(all.stream().filter(DeadLetterRacesIT::isChanged).map(TaskChange::id))
                    .containsExactlyInAnyOrderElementsOf(ids);
            assertThat(all.stream()
                            .map(change -> change.requeuedAs().orElseThrow())
                            .distinct())
                    .hasSize(TASKS);
            assertThat(test.count("sweep.task_ready")).isEqualTo(TASKS);
            assertThat(test.count("sweep.task_failure")).isEqualTo(TASKS * RUNS);
            assertThat(test.count("sweep.task_key")).isEqualTo(TASKS);
            assertThat(test.count("sweep.dead_letter")).isZero();
            test.empty();
        }
    }

    @Test
    void moverAgainstDeleteAndRequeueLeavesEachToOneOfThem() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Set<TaskId> ids = failed("round-" + round);

            List<List<TaskChange>> answers =
                    race(() -> moved(), () -> test.store.delete(ids), () -> test.store.requeue(ids), () -> moved());

            assertThat(answers.stream()
                            .flatMap(List::stream)
                            .filter(DeadLetterRacesIT::isChanged)
                            .map(TaskChange::id))
                    .containsExactlyInAnyOrderElementsOf(ids);
            long requeued =
                    answers.get(2).stream().filter(DeadLetterRacesIT::isChanged).count();
            assertThat(test.count("sweep.tasks")).isEqualTo(requeued);
            assertThat(test.count("sweep.task_ready")).isEqualTo(requeued);
            assertThat(test.count("sweep.task_key")).isEqualTo(requeued);
            test.checkInvariants();
            test.empty();
        }
    }

    /** The key stays with its task wherever that is; one that ends with its task is taken over once. */
    @Test
    void moverAgainstEnqueuesOfTheSameKeysNeverFreesOne() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            boolean isFreed = round % 2 == 0;
            List<DedupKey> keys = keys("round-" + round).stream()
                    .map(key -> isFreed ? key.untilFinished() : key)
                    .toList();
            Set<TaskId> ids = failed(keys);

            List<List<Enqueued>> answers =
                    race(() -> moved(), () -> enqueued(keys), () -> enqueued(keys), () -> moved());

            List<Enqueued> all = answers.stream().flatMap(List::stream).toList();
            assertThat(all.stream().filter(Enqueued::isNew)).hasSize(isFreed ? TASKS : 0);
            if (!isFreed) {
                assertThat(all).extracting(Enqueued::id).isSubsetOf(ids);
            }
            assertThat(test.count("sweep.dead_letter")).isEqualTo(TASKS);
            test.checkInvariants();
            test.empty();
        }
    }

    @Test
    void purgeAgainstRequeueAndEnqueueLosesNoTask() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<DedupKey> keys = keys("round-" + round);
            Set<TaskId> ids = failed(keys);
            moved();

            List<List<TaskChange>> answers = race(
                    () -> {
                        test.query("select sweep.purge_dead_letters('infinity', 1000)");
                        return List.of();
                    },
                    () -> test.store.requeue(ids),
                    () -> {
                        enqueued(keys);
                        return List.of();
                    });

            Set<TaskId> requeued = new HashSet<>();
            answers.get(1).stream().filter(DeadLetterRacesIT::isChanged).forEach(change -> requeued.add(change.id()));
            test.query("select sweep.purge_dead_letters('infinity', 1000)");
            assertThat(test.count("sweep.dead_letter")).isZero();
            assertThat(test.count(
                            "sweep.task_ready where id in (select id from sweep.task where requeued_from is not null)"))
                    .isEqualTo(requeued.size());
            assertThat(enqueued(keys)).hasSize(TASKS);
            assertThat(test.query("select dedup_key from sweep.task where dedup_key is not null group by 1"
                            + " having count(*) > 1"))
                    .isEmpty();
            test.checkInvariants();
            test.empty();
        }
    }

    private static <T> List<T> moved() {
        test.query("select sweep.move_dead_letters(null, 5)");
        test.query("select sweep.move_dead_letters(null, 1000)");
        return List.of();
    }

    private static boolean isChanged(TaskChange change) {
        return change.kind() == TaskChange.Kind.CHANGED;
    }

    private static List<DedupKey> keys(String prefix) {
        return IntStream.range(0, TASKS)
                .mapToObj(n -> DedupKey.of(prefix + "-" + n))
                .toList();
    }

    private static List<Enqueued> enqueued(List<DedupKey> keys) {
        return test.sweep.enqueueAll(
                keys.stream().map(key -> TYPE.with(Json.of("{}")).dedupKey(key)).toList());
    }

    private static Set<TaskId> failed(String prefix) {
        return failed(keys(prefix));
    }

    /** Tasks that failed twice. */
    private static Set<TaskId> failed(List<DedupKey> keys) {
        List<Enqueued> tasks = enqueued(keys);
        for (int run = 1; run <= RUNS; run++) {
            boolean isLast = run == RUNS;
            test.store.fail(
                    claimed().stream().map(task -> failure(task, isLast)).toList());
        }
        return Set.copyOf(tasks.stream().map(Enqueued::id).toList());
    }

    private static Failure failure(ClaimedTask task, boolean isForGood) {
        return isForGood
                ? Failure.forGood(task.attempt(), Duration.ofMillis(1), "e", "broken")
                : new Failure(task.attempt(), Duration.ofMillis(1), Duration.ZERO, "e", "broken");
    }

    private static Collection<ClaimedTask> claimed() {
        return test.store
                .claim(new ClaimRequest("w", Set.of("t"), Map.of("default", 100), 0, Duration.ofHours(1), true))
                .tasks();
    }

    /** Released by one latch. */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    private static <T> List<T> race(Callable<T>... racers) throws Exception {
        CountDownLatch ready = new CountDownLatch(racers.length);
        List<Future<T>> running = new ArrayList<>();
        Stream.of(racers)
                .forEach(racer -> running.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return racer.call();
                })));
        List<T> answers = new ArrayList<>();
        for (Future<T> one : running) {
            answers.add(one.get(1, TimeUnit.MINUTES));
        }
        return answers;
    }
}
