package dev.sweep.testing;

import dev.sweep.DedupKey;
import dev.sweep.DedupScope;
import dev.sweep.Due;
import dev.sweep.Enqueued;
import dev.sweep.OnDuplicate;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a task store must answer, in the plainest Java: one list of tasks, searched from end to end. Shares no code with any
 * store. Ids and lease numbers are the store's to choose; the model is told them.
 */
final class StoreModel {

    private record Owner(TaskId id, DedupScope scope, Instant since) {}

    private final NavigableMap<TaskId, ModelTask> tasks = new TreeMap<>();
    private final Map<String, Owner> owners = new HashMap<>();
    private final Map<Long, Instant> leaseEnds = new HashMap<>();
    private final Set<String> pausedQueues = new HashSet<>();
    private Instant now = Instant.EPOCH;

    void passTime(Duration duration) {
        now = now.plus(duration);
    }

    Collection<ModelTask> tasks() {
        return tasks.values();
    }

    ModelTask task(TaskId id) {
        @Nullable ModelTask task = tasks.get(id);
        if (task == null) {
            throw new AssertionError("the store answered with a task that nobody enqueued: " + id);
        }
        return task;
    }

    /** Whether the call fails because a key is taken that must not be. */
    boolean isRefused(List<TaskRecord> records) {
        Set<String> seen = new HashSet<>();
        for (TaskRecord record : records) {
            @Nullable DedupKey key = record.dedupKey();
            if (key != null) {
                boolean isTaken = owner(key).isPresent() || !seen.add(key.value());
                if (isTaken && record.onDuplicate() == OnDuplicate.FAIL) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What must have been answered, given the ids that were. */
    List<Enqueued> enqueue(List<TaskRecord> records, List<Enqueued> answers) {
        List<Enqueued> expected = new ArrayList<>();
        // Whether a key is free is judged once a call, for its first task.
        Map<String, TaskId> ofCall = new HashMap<>();
        for (int i = 0; i < records.size(); i++) {
            TaskRecord record = records.get(i);
            @Nullable DedupKey key = record.dedupKey();
            Optional<TaskId> owner = key == null
                    ? Optional.empty()
                    : Optional.ofNullable(ofCall.get(key.value())).or(() -> owner(key));
            TaskId id = owner.orElse(answers.get(i).id());
            expected.add(new Enqueued(id, owner.isEmpty()));
            if (key != null) {
                ofCall.put(key.value(), id);
            }
            if (owner.isEmpty()) {
                add(id, record);
            }
        }
        return expected;
    }

    private void add(TaskId id, TaskRecord record) {
        if (!tasks.isEmpty() && id.compareTo(tasks.lastKey()) <= 0) {
            throw new AssertionError("the new id " + id + " is not above " + tasks.lastKey());
        }
        tasks.put(id, new ModelTask(id, record, now.plus(record.delay())));
        @Nullable DedupKey key = record.dedupKey();
        if (key != null) {
            owners.put(key.value(), new Owner(id, key.scope(), now));
        }
    }

    private Optional<TaskId> owner(DedupKey key) {
        return Optional.ofNullable(owners.get(key.value()))
                .filter(this::isProtected)
                .map(Owner::id);
    }

    private boolean isProtected(Owner owner) {
        if (owner.scope() instanceof DedupScope.UntilFinished) {
            return !task(owner.id()).status.isFinal();
        }
        if (owner.scope() instanceof DedupScope.Window window) {
            return owner.since().plus(window.length()).isAfter(now);
        }
        return true;
    }

    /** The tasks that the claim must bring, in order; they run under {@code lease} from now on. */
    List<ModelTask> claim(ClaimRequest request, long lease) {
        Map<String, Integer> room = new HashMap<>(request.room());
        int lostRoom = request.lostRoom();
        List<ModelTask> taken = new ArrayList<>();
        for (ModelTask task : all(task -> isClaimable(task, request))
                .sorted(ModelTask.CLAIM_ORDER)
                .toList()) {
            if (task.losses > 0 && lostRoom > 0) {
                lostRoom--;
                taken.add(task);
            } else if (task.losses == 0 && room.merge(task.asked.queue(), -1, Integer::sum) >= 0) {
                taken.add(task);
            }
        }
        taken.forEach(task -> task.run(new Attempt(lease, task.id)));
        if (!taken.isEmpty()) {
            leaseEnds.put(lease, now.plus(request.leaseDuration()));
        }
        return taken;
    }

    private boolean isClaimable(ModelTask task, ClaimRequest request) {
        return task.isWaiting()
                && !task.dueAt.isAfter(now)
                && request.types().contains(task.asked.type())
                && request.room().containsKey(task.asked.queue())
                && !pausedQueues.contains(task.asked.queue());
    }

    Set<Attempt> complete(Collection<Attempt> attempts, @Nullable String result) {
        return leave(attempts, task -> {
            task.end(TaskStatus.SUCCEEDED);
            task.result = result;
        });
    }

    Set<Attempt> giveUp(Attempt attempt) {
        return leave(List.of(attempt), task -> task.end(TaskStatus.CANCELLED));
    }

    Set<Attempt> fail(Failure failure) {
        @Nullable Due retry = failure.retry();
        return leave(List.of(failure.attempt()), task -> {
            if (retry == null) {
                task.end(TaskStatus.FAILED);
            } else {
                task.retries++;
                task.await(retry.from(now));
            }
        });
    }

    Set<Attempt> snooze(Snooze snooze) {
        return leave(List.of(snooze.attempt()), task -> task.await(snooze.due().from(now)));
    }

    Set<Attempt> release(Collection<Attempt> attempts) {
        return leave(attempts, task -> task.await(task.dueAt));
    }

    /** The attempts that held their task until now. */
    private Set<Attempt> leave(Collection<Attempt> attempts, Consumer<ModelTask> move) {
        Set<Attempt> accepted = new HashSet<>();
        for (Attempt attempt : attempts) {
            if (isRunning(attempt)) {
                move.accept(task(attempt.id()));
                accepted.add(attempt);
            }
        }
        return accepted;
    }

    private boolean isRunning(Attempt attempt) {
        return attempt.equals(task(attempt.id()).attempt);
    }

    Heartbeat heartbeat(HeartbeatRequest request) {
        Set<Long> extended = new HashSet<>(request.leases());
        extended.removeIf(lease -> all(task -> isUnder(task, lease)).findAny().isEmpty());
        extended.forEach(lease -> leaseEnds.put(lease, now.plus(request.leaseDuration())));
        Set<Attempt> gone = new HashSet<>(request.attempts());
        gone.removeIf(this::isRunning);
        return new Heartbeat(extended, gone);
    }

    private static boolean isUnder(ModelTask task, long lease) {
        return task.attempt != null && task.attempt.lease() == lease;
    }

    Reclaimed reclaim(int limit) {
        List<Attempt> returned = new ArrayList<>();
        List<Attempt> failed = new ArrayList<>();
        for (ModelTask task : all(this::hasLapsed)
                .sorted(ModelTask.RECLAIM_ORDER)
                .limit(limit)
                .toList()) {
            Attempt lost = task.attempt == null ? new Attempt(0, task.id) : task.attempt;
            task.losses++;
            if (task.losses > task.asked.maxLosses()) {
                failed.add(lost);
                task.end(TaskStatus.FAILED);
            } else {
                returned.add(lost);
                task.await(task.dueAt);
            }
        }
        return new Reclaimed(returned, failed);
    }

    private boolean hasLapsed(ModelTask task) {
        return task.attempt != null
                && !leaseEnds.getOrDefault(task.attempt.lease(), Instant.MIN).isAfter(now);
    }

    TaskStatus cancel(TaskId id) {
        ModelTask task = task(id);
        if (!task.status.isFinal()) {
            task.end(TaskStatus.CANCELLED);
        }
        return task.status;
    }

    void pause(String queue) {
        pausedQueues.add(queue);
    }

    void resume(String queue) {
        pausedQueues.remove(queue);
    }

    private Stream<ModelTask> all(Predicate<ModelTask> filter) {
        return tasks.values().stream().filter(filter);
    }
}
