package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sweep.Due;
import dev.sweep.DuplicateTaskException;
import dev.sweep.Enqueued;
import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store and the {@link StoreModel} the same things, and compares what they answer and then hold. Attempts are
 * remembered for ever, so that stale ones are used too. Says at a difference what was done until then.
 */
final class StoreTrial {

    static final Set<String> TYPES = Set.of("mail", "bill");
    static final List<String> QUEUES = List.of("a", "b");

    /** Between two steps, so that what happens later is later. */
    private static final Duration TICK = Duration.ofMillis(1);

    private static final Duration LONG = Duration.ofHours(1_000);
    private static final Duration NO_GRACE = Duration.ofMillis(1);
    private static final Duration RUN_TIME = Duration.ofMillis(20);

    private final TaskStore store;
    private final Consumer<Duration> clock;
    private final StoreModel model = new StoreModel();
    private final List<ClaimedTask> claimed = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    /** @param clock moves the store's time */
    StoreTrial(TaskStore store, Consumer<Duration> clock) {
        this.store = store;
        this.clock = clock;
    }

    void run(List<Step> steps) {
        try {
            for (Step step : steps) {
                passTime(TICK);
                step.on(this);
                compareTasks();
            }
            drain();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "the store is not as the model says: " + e.getMessage() + "\nafter\n" + String.join("\n", log), e);
        }
    }

    void enqueue(List<TaskRecord> records) {
        note("enqueue " + records.stream().map(StoreTrial::text).toList());
        if (model.isRefused(records)) {
            assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(() -> store.enqueue(records));
        } else {
            List<Enqueued> answers = store.enqueue(records);
            note("  -> " + answers);
            assertThat(answers).isEqualTo(model.enqueue(records, answers));
        }
    }

    void claim(String worker, Map<String, Integer> room, int lostRoom, Duration leaseDuration) {
        // Afresh: the time of this store is moved in a way that no hint can foresee.
        ClaimRequest request = new ClaimRequest(worker, TYPES, room, lostRoom, leaseDuration, true);
        Claim claim = store.claim(request);
        note(worker + " claims " + room + " and " + lostRoom + " lost for " + leaseDuration + " -> " + claim.tasks());
        claimed.addAll(claim.tasks());
        List<ModelTask> expected = model.claim(request, claim.lease());
        assertThat(claim.tasks().stream().map(StoreTrial::text))
                .as("claimed")
                .isEqualTo(expected.stream().map(StoreTrial::text).toList());
    }

    void complete(List<Integer> picks, @Nullable String result) {
        Set<Attempt> attempts = attempts(picks);
        Set<Attempt> accepted = store.complete(attempts.stream()
                .map(attempt -> new Completion(attempt, RUN_TIME, result))
                .toList());
        compareAccepted("complete " + attempts + " with " + result, accepted, model.complete(attempts, result));
    }

    void giveUp(int pick) {
        for (ClaimedTask task : attempt(pick)) {
            Cancellation cancellation = new Cancellation(task.attempt(), RUN_TIME, "not wanted");
            compareAccepted(cancellation.toString(), store.cancel(List.of(cancellation)), model.giveUp(task.attempt()));
        }
    }

    /** For good if no retry is left. */
    void fail(int pick, @Nullable Duration retryIn) {
        for (ClaimedTask task : attempt(pick)) {
            @Nullable Due retry = retryIn == null || task.retries() == task.maxRetries() ? null : Due.in(retryIn);
            Failure failure = new Failure(task.attempt(), RUN_TIME, retry, "java.io.IOException", "broken");
            compareAccepted(failure.toString(), store.fail(List.of(failure)), model.fail(failure));
        }
    }

    void snooze(int pick, Duration delay) {
        for (ClaimedTask task : attempt(pick)) {
            Snooze snooze = new Snooze(task.attempt(), delay);
            compareAccepted(snooze.toString(), store.snooze(List.of(snooze)), model.snooze(snooze));
        }
    }

    void release(List<Integer> picks) {
        Set<Attempt> attempts = attempts(picks);
        compareAccepted("release " + attempts, store.release(attempts), model.release(attempts));
    }

    void heartbeat(String worker, List<Integer> picks, Duration leaseDuration) {
        Set<Attempt> attempts = attempts(picks);
        Set<Long> leases = attempts.stream().map(Attempt::lease).collect(Collectors.toSet());
        HeartbeatRequest request = new HeartbeatRequest(worker, leaseDuration, leases, attempts);
        Heartbeat answer = store.heartbeat(request);
        note(request + " -> " + answer);
        assertThat(answer).isEqualTo(model.heartbeat(request));
    }

    Reclaimed reclaim(int limit) {
        Reclaimed answer = store.reclaim(NO_GRACE, limit);
        note("reclaim at most " + limit + " -> " + answer);
        Reclaimed expected = model.reclaim(limit);
        assertThat(answer.returned()).as("returned").containsExactlyInAnyOrderElementsOf(expected.returned());
        assertThat(answer.failed()).as("failed").containsExactlyInAnyOrderElementsOf(expected.failed());
        return answer;
    }

    void cancel(int pick) {
        for (ModelTask task : pick(pick, List.copyOf(model.tasks()))) {
            note("cancel " + task);
            assertThat(store.cancel(task.id)).contains(model.cancel(task.id));
        }
    }

    void pause(String queue) {
        note("pause " + queue);
        store.pauseQueue(queue);
        model.pause(queue);
    }

    void resume(String queue) {
        note("resume " + queue);
        store.resumeQueue(queue);
        model.resume(queue);
    }

    void passTime(Duration duration) {
        if (duration.compareTo(TICK) > 0) {
            note(duration + " pass");
        }
        clock.accept(duration);
        model.passTime(duration);
    }

    /** Until all is done: whatever waits or runs comes once more, and in the order of the model. */
    private void drain() {
        QUEUES.forEach(this::resume);
        passTime(LONG);
        while (reclaim(1_000).size() > 0) {
            passTime(TICK);
        }
        while (model.tasks().stream().anyMatch(ModelTask::isWaiting)) {
            int before = claimed.size();
            claim("last", Map.of("a", 1, "b", 1), 1, LONG);
            complete(
                    IntStream.range(0, claimed.size() - before)
                            .map(i -> 2 * i)
                            .boxed()
                            .toList(),
                    null);
            compareTasks();
        }
    }

    private void compareTasks() {
        for (ModelTask expected : model.tasks()) {
            Task task = store.find(expected.id).orElseThrow(() -> new AssertionError("lost: " + expected));
            assertThat("[" + task.id() + " " + task.status() + ", retries " + task.retryCount() + ", losses "
                            + task.losses() + ", result " + task.result().orElse(null) + "]")
                    .isEqualTo(expected.toString());
        }
        assertThat(store.counts())
                .allSatisfy(count ->
                        assertThat(count.count()).as("%s", count.status()).isEqualTo(countOf(count.status())));
        assertThat(store.counts()).extracting(StatusCount::status).containsExactly(TaskStatus.values());
    }

    private long countOf(TaskStatus status) {
        return model.tasks().stream().filter(task -> task.status == status).count();
    }

    private void compareAccepted(String what, Set<Attempt> accepted, Set<Attempt> expected) {
        note(what + " -> " + accepted);
        assertThat(accepted).as("accepted").isEqualTo(expected);
    }

    private Set<Attempt> attempts(List<Integer> picks) {
        return picks.stream()
                .flatMap(pick -> attempt(pick).stream())
                .map(ClaimedTask::attempt)
                .collect(Collectors.toSet());
    }

    /** Counted back from the newest; an odd pick means that task's first attempt, stale if the task ran again since. */
    private List<ClaimedTask> attempt(int pick) {
        return pick(pick / 2, claimed).stream()
                .map(newer -> pick % 2 == 0 ? newer : firstOf(newer.id()))
                .toList();
    }

    private ClaimedTask firstOf(TaskId id) {
        return claimed.stream().filter(task -> task.id().equals(id)).findFirst().orElseThrow();
    }

    /** One of them, if there is one; counted back from the newest, so that most picks are of what is going on. */
    private static <T> List<T> pick(int pick, List<T> all) {
        return all.isEmpty() ? List.of() : List.of(all.get(all.size() - 1 - pick % all.size()));
    }

    private void note(String what) {
        log.add("  " + what);
    }

    private static String text(TaskRecord record) {
        return record.queue() + " " + record.priority() + " in " + record.delay()
                + (record.dedupKey() == null ? "" : " as " + record.dedupKey() + " " + record.onDuplicate());
    }

    private static String text(ClaimedTask task) {
        return text(task.attempt(), task.queue(), task.priority(), task.retries(), task.losses());
    }

    private static String text(ModelTask task) {
        return text(task.attempt, task.asked.queue(), task.asked.priority(), task.retries, task.losses);
    }

    private static String text(@Nullable Attempt attempt, String queue, int priority, int retries, int losses) {
        return attempt + " of " + queue + ", priority " + priority + ", retries " + retries + ", losses " + losses;
    }
}
