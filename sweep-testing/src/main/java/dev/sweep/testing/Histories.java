package dev.sweep.testing;

import dev.sweep.DedupKey;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.OnDuplicate;
import dev.sweep.TaskType;
import dev.sweep.spi.TaskRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/**
 * Random histories: steps of two workers and those who enqueue and cancel. All times are whole hours: time that passes by
 * itself while a history runs changes the order of nothing.
 */
final class Histories {

    private static final int LONGEST = 40;
    private static final int MOST_PICKED = 3;

    private Histories() {}

    static Arbitrary<List<Step>> any() {
        return Arbitraries.frequencyOf(
                        Tuple.of(4, enqueues()),
                        Tuple.of(8, claims()),
                        Tuple.of(
                                3,
                                Combinators.combine(picks(), Arbitraries.of("7").injectNull(0.5))
                                        .as(Step.Complete::new)),
                        Tuple.of(1, pick().map(Step.GiveUp::new)),
                        Tuple.of(
                                3,
                                Combinators.combine(pick(), delays().injectNull(0.3))
                                        .as(Step.Fail::new)),
                        Tuple.of(2, Combinators.combine(pick(), delays()).as(Step.Snooze::new)),
                        Tuple.of(2, picks().map(Step.Release::new)),
                        Tuple.of(
                                3,
                                Combinators.combine(workers(), picks(), hours(1, 3))
                                        .as(Step.Beat::new)),
                        Tuple.of(4, hours(1, 3).map(Step.PassTime::new)),
                        Tuple.of(3, Arbitraries.of(1, 2, 9).map(Step.Reclaim::new)),
                        Tuple.of(1, pick().map(Step.Cancel::new)),
                        Tuple.of(1, Arbitraries.of(StoreTrial.QUEUES).map(Step.Pause::new)),
                        Tuple.of(3, Arbitraries.of(StoreTrial.QUEUES).map(Step.Resume::new)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(LONGEST)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    private static Arbitrary<Step> enqueues() {
        return tasks().list().ofMinSize(1).ofMaxSize(2).map(Step.Enqueue::new);
    }

    private static Arbitrary<TaskRecord> tasks() {
        return Combinators.combine(
                        Arbitraries.of(StoreTrial.TYPES).map(TaskType::json),
                        Arbitraries.of(StoreTrial.QUEUES),
                        Arbitraries.of(1, 5, 10),
                        delays(),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 2),
                        keys().optional(0.4),
                        Arbitraries.of(OnDuplicate.KEEP_EXISTING, OnDuplicate.KEEP_EXISTING, OnDuplicate.FAIL))
                .as(Histories::task);
    }

    private static TaskRecord task(
            TaskType<Json> type,
            String queue,
            int priority,
            Duration delay,
            int maxRetries,
            int maxLosses,
            Optional<DedupKey> key,
            OnDuplicate onDuplicate) {
        NewTask<Json> task = type.maxLosses(maxLosses)
                .with(Json.of("{}"))
                .queue(queue)
                .priority(priority)
                .delay(delay)
                .maxRetries(maxRetries)
                .onDuplicate(onDuplicate);
        return TaskRecord.of(key.map(task::dedupKey).orElse(task), "{}");
    }

    private static Arbitrary<DedupKey> keys() {
        return Arbitraries.of("k", "K")
                .map(DedupKey::of)
                .flatMap(key -> Arbitraries.of(key, key.untilFinished(), key.window(Duration.ofHours(2))));
    }

    private static Arbitrary<Step> claims() {
        Arbitrary<Map<String, Integer>> room = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.of(Map.of("a", 1), Map.of("b", 2), Map.of("a", 1, "b", 1))),
                Tuple.of(3, Arbitraries.just(Map.of("a", 9, "b", 9))));
        return Combinators.combine(workers(), room, Arbitraries.of(0, 1, 2, 9, 9), hours(1, 2))
                .as(Step.Claim::new);
    }

    private static Arbitrary<String> workers() {
        return Arbitraries.of("w1", "w2");
    }

    private static Arbitrary<List<Integer>> picks() {
        return pick().list().ofMinSize(1).ofMaxSize(MOST_PICKED);
    }

    private static Arbitrary<Integer> pick() {
        return Arbitraries.integers().between(0, 7);
    }

    /** Mostly none: a history is too short to wait much, and stale attempts need tasks that run again and again. */
    private static Arbitrary<Duration> delays() {
        return Arbitraries.of(0, 0, 0, 1, 2).map(Duration::ofHours);
    }

    private static Arbitrary<Duration> hours(int least, int most) {
        return Arbitraries.integers().between(least, most).map(Duration::ofHours);
    }
}
