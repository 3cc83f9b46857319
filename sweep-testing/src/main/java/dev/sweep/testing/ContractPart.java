package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One part of the {@link TaskStoreContract}, with the words in which its tests are written. */
abstract class ContractPart {

    static final TaskType<Json> MAIL = TaskType.json("mail");
    static final TaskType<Json> BILL = TaskType.json("bill");
    static final String QUEUE = TaskType.DEFAULT_QUEUE;
    static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
    static final Duration RUN_TIME = Duration.ofMillis(20);

    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(2);
    private static final Duration SHORT = Duration.ofMillis(1);

    abstract TaskStoreContract contract();

    TaskStore store() {
        return contract().store();
    }

    /** A task of {@link #MAIL} that needs nothing in particular. */
    static NewTask<Json> mail() {
        return MAIL.with(Json.of("{}"));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    final List<Enqueued> enqueue(NewTask<Json>... tasks) {
        return store().enqueue(Arrays.stream(tasks).map(ContractPart::record).toList());
    }

    final List<Enqueued> enqueueAll(List<NewTask<Json>> tasks) {
        return store().enqueue(tasks.stream().map(ContractPart::record).toList());
    }

    final TaskId enqueued(NewTask<Json> task) {
        return enqueue(task).get(0).id();
    }

    /** The ids of {@code count} tasks like this one, in the order of claims: all are due at the same moment. */
    final List<TaskId> enqueued(int count, NewTask<Json> task) {
        List<NewTask<Json>> tasks = Stream.generate(() -> task).limit(count).toList();
        return enqueueAll(tasks).stream().map(Enqueued::id).sorted().toList();
    }

    static TaskRecord record(NewTask<Json> task) {
        return TaskRecord.of(task, task.payload().text());
    }

    /** A claim by worker {@code w1} of up to 10 healthy mails from the default queue, for an hour. */
    final ContractClaim claim() {
        return new ContractClaim(store());
    }

    final ClaimedTask claimOne() {
        List<ClaimedTask> tasks = claim().tasks();
        assertThat(tasks).as("claimed").hasSize(1);
        return tasks.get(0);
    }

    /** A new task whose attempt is under way for an hour. */
    final ClaimedTask running(NewTask<Json> task) {
        TaskId id = enqueued(task);
        ClaimedTask claimed = claim().lostRoom(1)
                .types(task.type().name())
                .queue(task.queue(), 1)
                .one();
        assertThat(claimed.id()).isEqualTo(id);
        return claimed;
    }

    /** A new task whose attempt is under way with a lease that has lapsed. */
    final ClaimedTask lapsed(NewTask<Json> task) {
        TaskId id = enqueued(task);
        ClaimedTask claimed = claim().lease(SHORT).one();
        assertThat(claimed.id()).isEqualTo(id);
        passTime(SHORT);
        return claimed;
    }

    final Set<Attempt> complete(ClaimedTask... tasks) {
        return store().complete(Arrays.stream(tasks)
                .map(task -> new Completion(task.attempt(), RUN_TIME))
                .toList());
    }

    final Set<Attempt> retry(ClaimedTask task, Duration delay, String message) {
        return store().fail(List.of(new Failure(task.attempt(), RUN_TIME, delay, "java.io.IOException", message)));
    }

    final Set<Attempt> failForGood(ClaimedTask task, String message) {
        return store().fail(List.of(Failure.forGood(task.attempt(), RUN_TIME, "java.io.IOException", message)));
    }

    /** Reclaims until {@code count} attempts were taken back, which needs more than one try on a clock of its own. */
    final Reclaimed reclaim(int count) {
        List<Attempt> returned = new ArrayList<>();
        List<Attempt> failed = new ArrayList<>();
        return eventually(
                () -> {
                    Reclaimed some = reclaimNow(1_000);
                    returned.addAll(some.returned());
                    failed.addAll(some.failed());
                    return new Reclaimed(returned, failed);
                },
                all -> all.size() >= count);
    }

    final Reclaimed reclaimNow(int limit) {
        return store().reclaim(SHORT, limit);
    }

    final Task find(TaskId id) {
        return store().find(id).orElseThrow(() -> new AssertionError("no task " + id));
    }

    final TaskStatus status(TaskId id) {
        return find(id).status();
    }

    final void passTime(Duration duration) {
        contract().passTime(duration);
    }

    /** The first answer that is as expected; fails with the last one if none is before the deadline. */
    final <T> T eventually(Supplier<T> question, Predicate<T> expected) {
        long start = System.nanoTime();
        T answer = question.get();
        while (!expected.test(answer)) {
            if (System.nanoTime() - start > DEADLINE.toNanos()) {
                throw new AssertionError("not within " + DEADLINE + "; the last answer was " + answer);
            }
            passTime(POLL);
            LockSupport.parkNanos(POLL.toNanos());
            answer = question.get();
        }
        return answer;
    }
}
