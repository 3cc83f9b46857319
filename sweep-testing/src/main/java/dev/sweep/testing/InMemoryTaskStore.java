package dev.sweep.testing;

import dev.sweep.DedupKey;
import dev.sweep.Due;
import dev.sweep.DuplicateTaskException;
import dev.sweep.Enqueued;
import dev.sweep.KnownWorker;
import dev.sweep.OnDuplicate;
import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskChange;
import dev.sweep.TaskFailure;
import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.WorkerPresence;
import dev.sweep.spi.AdminStore;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Listening;
import dev.sweep.spi.PresenceStore;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A task store in memory, for tests: passes the same contract as the PostgreSQL store, without a database. What it holds is
 * gone with the object, and it knows no transactions.
 *
 * <p>Thread-safe: one lock, taken for the whole of every method about tasks, so each is atomic. Keeps all tasks until they are deleted.
 */
public final class InMemoryTaskStore implements TaskStore, AdminStore, PresenceStore, WakingStore {

    private final InstantSource time;
    private final NavigableMap<TaskId, StoredTask> tasks = new TreeMap<>();
    private final NavigableMap<Waiting, StoredTask> ready = new TreeMap<>();
    private final NavigableMap<Long, HeldLease> leases = new TreeMap<>();
    private final DedupKeys keys = new DedupKeys();
    private final InProcessWakeUps wakeUps = new InProcessWakeUps();
    private final Set<String> pausedQueues = new HashSet<>();
    private final Map<String, KnownWorker> workers = new LinkedHashMap<>();
    private long lastId;
    private long lastLease;

    private InMemoryTaskStore(InstantSource time) {
        this.time = time;
    }

    /** An empty store on system time. */
    public static InMemoryTaskStore create() {
        return new InMemoryTaskStore(InstantSource.system());
    }

    /** An empty store whose time the test moves. */
    public static InMemoryTaskStore create(SettableTime time) {
        return new InMemoryTaskStore(time);
    }

    /** Does nothing: there is no schema that could be missing. */
    @Override
    public void verify() {}

    @Override
    public synchronized List<Enqueued> enqueue(List<TaskRecord> records) {
        Instant now = now();
        List<Enqueued> answers = new ArrayList<>(records.size());
        List<StoredTask> created = new ArrayList<>(records.size());
        Map<String, TaskId> ownersInCall = new HashMap<>();
        for (TaskRecord record : records) {
            Optional<TaskId> owner = ownerOf(record, ownersInCall, now);
            if (owner.isEmpty()) {
                StoredTask task = newTask(record, now);
                created.add(task);
                noteOwner(record, task.id(), ownersInCall);
            }
            answers.add(owner.map(id -> new Enqueued(id, false))
                    .orElseGet(
                            () -> new Enqueued(created.get(created.size() - 1).id(), true)));
        }
        created.forEach(this::store);
        return answers;
    }

    /**
     * Always refused: memory takes no part in a database transaction.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public List<Enqueued> enqueue(Connection tx, List<TaskRecord> records) {
        throw new UnsupportedOperationException("the in-memory store has no transactions; nothing was enqueued; use"
                + " enqueue(task) without a connection, or a store on PostgreSQL (SweepExtension.onPostgres)");
    }

    @Override
    public synchronized Claim claim(ClaimRequest request) {
        Instant now = now();
        List<StoredTask> chosen = choose(request, now);
        if (chosen.isEmpty()) {
            return new Claim(0, List.of(), List.of(), nextDueIn(request, now));
        }
        long number = ++lastLease;
        HeldLease lease = new HeldLease(request.worker(), now.plus(request.leaseDuration()));
        leases.put(number, lease);
        List<ClaimedTask> claimed = new ArrayList<>(chosen.size());
        for (StoredTask task : chosen) {
            ready.remove(task.waiting());
            lease.held().put(task.id(), task);
            claimed.add(task.start(number, now));
        }
        return new Claim(number, claimed, List.of(), Optional.empty());
    }

    @Override
    public synchronized Set<Attempt> complete(Collection<Completion> completions) {
        Instant now = now();
        Set<Attempt> accepted = new HashSet<>();
        for (Completion completion : completions) {
            leave(completion.attempt(), accepted, task -> task.succeed(completion, now));
        }
        return accepted;
    }

    @Override
    public synchronized Set<Attempt> fail(Collection<Failure> failures) {
        Instant now = now();
        Set<Attempt> accepted = new HashSet<>();
        for (Failure failure : failures) {
            String worker = workerOf(failure.attempt());
            leave(failure.attempt(), accepted, task -> recordFailure(task, failure, worker, now));
        }
        return accepted;
    }

    @Override
    public synchronized Set<Attempt> snooze(Collection<Snooze> snoozes) {
        Instant now = now();
        Set<Attempt> accepted = new HashSet<>();
        for (Snooze snooze : snoozes) {
            leave(
                    snooze.attempt(),
                    accepted,
                    task -> makeWait(task, snooze.due().from(now)));
        }
        return accepted;
    }

    @Override
    public synchronized Set<Attempt> cancel(Collection<Cancellation> cancellations) {
        Instant now = now();
        Set<Attempt> accepted = new HashSet<>();
        for (Cancellation cancellation : cancellations) {
            leave(cancellation.attempt(), accepted, task -> {
                task.recordError(cancellation.reason());
                task.end(TaskStatus.CANCELLED, now, null);
            });
        }
        return accepted;
    }

    @Override
    public synchronized Set<Attempt> release(Collection<Attempt> attempts) {
        Set<Attempt> accepted = new HashSet<>();
        for (Attempt attempt : attempts) {
            leave(attempt, accepted, task -> {
                task.forgetStart();
                makeWait(task, task.dueAt());
            });
        }
        return accepted;
    }

    @Override
    public synchronized Heartbeat heartbeat(HeartbeatRequest request) {
        Instant until = now().plus(request.leaseDuration());
        Set<Long> extended = new HashSet<>(request.leases());
        extended.retainAll(leases.keySet());
        for (Map.Entry<Long, HeldLease> entry : leases.entrySet()) {
            if (extended.contains(entry.getKey())) {
                entry.getValue().extend(until);
            }
        }
        Set<Attempt> gone = new HashSet<>(request.attempts());
        gone.removeIf(this::isRunning);
        return new Heartbeat(extended, gone);
    }

    @Override
    public synchronized Reclaimed reclaim(Duration leaseDuration, int limit) {
        return lose(lapsedAttempts(now(), limit));
    }

    @Override
    public synchronized Reclaimed lose(Collection<Attempt> attempts) {
        Instant now = now();
        List<Attempt> returned = new ArrayList<>();
        List<Attempt> failed = new ArrayList<>();
        for (Attempt attempt : attempts) {
            String worker = workerOf(attempt);
            leave(attempt, new HashSet<>(), task -> (takeBack(task, worker, now) ? returned : failed).add(attempt));
        }
        return new Reclaimed(returned, failed);
    }

    @Override
    public synchronized Optional<Task> find(TaskId id) {
        return Optional.ofNullable(tasks.get(id)).map(StoredTask::snapshot);
    }

    @Override
    public synchronized List<Task> list(TaskQuery query) {
        NavigableMap<TaskId, StoredTask> candidates =
                query.before().map(id -> tasks.headMap(id, false)).orElse(tasks);
        return candidates.descendingMap().values().stream()
                .filter(task -> query.status().map(task.status()::equals).orElse(true))
                .filter(task -> query.type().map(task.type()::equals).orElse(true))
                .filter(task -> query.queue().map(task.queue()::equals).orElse(true))
                .limit(query.limit())
                .map(StoredTask::snapshot)
                .toList();
    }

    @Override
    public synchronized List<StatusCount> counts() {
        return Arrays.stream(TaskStatus.values()).map(this::count).toList();
    }

    @Override
    public synchronized Optional<TaskStatus> cancel(TaskId id) {
        @Nullable StoredTask task = tasks.get(id);
        if (task == null) {
            return Optional.empty();
        }
        if (!task.status().isFinal()) {
            ready.remove(task.waiting());
            dropAttemptsOf(id);
            task.end(TaskStatus.CANCELLED, now(), null);
        }
        return Optional.of(task.status());
    }

    @Override
    public synchronized List<TaskChange> cancel(Set<TaskId> ids) {
        return each(ids, id -> {
            boolean isLive = isLive(id);
            @Nullable TaskStatus now = cancel(id).orElse(null);
            return isLive && now != null ? TaskChange.changed(id, now) : TaskChange.unchanged(id, now);
        });
    }

    @Override
    public synchronized List<TaskChange> requeue(Set<TaskId> ids) {
        return each(ids, this::requeue);
    }

    @Override
    public synchronized List<TaskChange> delete(Set<TaskId> ids) {
        return each(ids, this::delete);
    }

    @Override
    public synchronized List<TaskChange> reprioritise(Set<TaskId> ids, int priority) {
        return each(ids, id -> move(id, task -> task.changePriority(priority)));
    }

    @Override
    public synchronized List<TaskChange> reschedule(Set<TaskId> ids, @Nullable Instant dueAt) {
        Instant due = (dueAt == null ? now() : dueAt).truncatedTo(ChronoUnit.MICROS);
        return each(ids, id -> move(id, task -> task.waitUntil(due)));
    }

    @Override
    public synchronized TaskSelection select(TaskFilter filter, int limit) {
        List<TaskId> matching = tasks.values().stream()
                .filter(task -> filter.statuses().contains(task.status()))
                .filter(task -> filter.type().map(task.type()::equals).orElse(true))
                .filter(task -> filter.queue().map(task.queue()::equals).orElse(true))
                .filter(task -> !task.createdAt().isBefore(filter.createdFrom().orElse(Instant.MIN)))
                .filter(task -> task.createdAt().isBefore(filter.createdBefore().orElse(Instant.MAX)))
                .map(StoredTask::id)
                .filter(id -> filter.upTo().map(last -> id.compareTo(last) <= 0).orElse(true))
                .limit(limit + 1L)
                .toList();
        boolean isCutOff = matching.size() > limit;
        return new TaskSelection(isCutOff ? matching.subList(0, limit) : matching, isCutOff);
    }

    @Override
    public synchronized List<TaskFailure> failures(TaskId id) {
        @Nullable StoredTask task = tasks.get(id);
        return task == null ? List.of() : task.failures();
    }

    @Override
    public synchronized Set<String> pausedQueues() {
        return Set.copyOf(pausedQueues);
    }

    @Override
    public synchronized void pauseQueue(String queue) {
        pausedQueues.add(queue);
    }

    @Override
    public synchronized void resumeQueue(String queue) {
        pausedQueues.remove(queue);
    }

    @Override
    public synchronized void present(WorkerPresence presence) {
        Instant now = now();
        KnownWorker before = workers.get(presence.name());
        Instant startedAt = before == null ? now : before.startedAt();
        workers.put(presence.name(), new KnownWorker(presence, startedAt, now, Optional.empty()));
    }

    @Override
    public synchronized void stopped(String worker) {
        Instant now = now();
        workers.computeIfPresent(
                worker, (name, known) -> new KnownWorker(known.presence(), known.startedAt(), now, Optional.of(now)));
    }

    @Override
    public synchronized List<KnownWorker> workers() {
        return workers.values().stream()
                .sorted(Comparator.comparing(KnownWorker::startedAt)
                        .reversed()
                        .thenComparing(known -> known.presence().name()))
                .toList();
    }

    /** Reaches those who listen to this object. */
    @Override
    public void announce(WakeUp wakeUp) {
        wakeUps.announce(wakeUp);
    }

    @Override
    public Optional<Listening> listen() {
        return Optional.of(wakeUps.listen());
    }

    /** Does nothing: there is nothing to close. */
    @Override
    public void close() {}

    /** Throws unless every live task is in exactly the one place that its status names, and every ended one in none. */
    synchronized void checkInvariants() {
        for (StoredTask task : tasks.values()) {
            long held = leases.values().stream()
                    .filter(lease -> lease.held().containsKey(task.id()))
                    .count();
            int waits = ready.containsKey(task.waiting()) ? 1 : 0;
            require(waits == (task.status() == TaskStatus.PENDING ? 1 : 0), task, "in task_ready " + waits + " times");
            require(held == (task.status() == TaskStatus.PROCESSING ? 1 : 0), task, "held by " + held + " leases");
        }
        long pending = tasks.values().stream()
                .filter(task -> task.status() == TaskStatus.PENDING)
                .count();
        if (ready.size() != pending) {
            throw new IllegalStateException(ready.size() + " entries wait for " + pending + " pending tasks");
        }
        if (leases.values().stream().anyMatch(lease -> lease.held().isEmpty())) {
            throw new IllegalStateException("a lease holds nothing: " + leases.keySet());
        }
    }

    private static void require(boolean holds, StoredTask task, String finding) {
        if (!holds) {
            throw new IllegalStateException("task " + task.id() + " is " + task.status() + " but " + finding);
        }
    }

    private Instant now() {
        return time.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private Optional<TaskId> ownerOf(TaskRecord record, Map<String, TaskId> ownersInCall, Instant now) {
        @Nullable DedupKey key = record.dedupKey();
        if (key == null) {
            return Optional.empty();
        }
        Optional<TaskId> owner = Optional.ofNullable(ownersInCall.get(key.value()))
                .or(() -> keys.owner(key, now).map(StoredTask::id));
        if (record.onDuplicate() == OnDuplicate.FAIL && owner.isPresent()) {
            throw new DuplicateTaskException(key.value(), owner.get());
        }
        return owner;
    }

    private static void noteOwner(TaskRecord record, TaskId id, Map<String, TaskId> ownersInCall) {
        @Nullable DedupKey key = record.dedupKey();
        if (key != null) {
            ownersInCall.put(key.value(), id);
        }
    }

    private StoredTask newTask(TaskRecord record, Instant now) {
        @Nullable Instant given = record.dueAt();
        Instant dueAt = given == null ? now.plus(record.delay()) : given;
        lastId = TaskIds.after(lastId, now);
        return new StoredTask(TaskId.of(lastId), record, now, dueAt.truncatedTo(ChronoUnit.MICROS));
    }

    private void store(StoredTask task) {
        tasks.put(task.id(), task);
        ready.put(task.waiting(), task);
        task.dedupKey().ifPresent(key -> keys.take(key, task));
    }

    private List<StoredTask> choose(ClaimRequest request, Instant now) {
        ClaimRoom room = new ClaimRoom(request);
        List<StoredTask> chosen = new ArrayList<>();
        Iterator<StoredTask> candidates = inOrder(request).iterator();
        while (candidates.hasNext() && !room.isUsedUp()) {
            StoredTask task = candidates.next();
            if (task.isDue(now) && room.take(task)) {
                chosen.add(task);
            }
        }
        return chosen;
    }

    /** An even claim begins with any of the priorities. */
    private Stream<StoredTask> inOrder(ClaimRequest request) {
        if (!request.evenly()) {
            return claimable(request);
        }
        int first = ThreadLocalRandom.current().nextInt(StoredTask.PRIORITIES);
        return claimable(request)
                .sorted(Comparator.comparing(task -> (task.priority() + first) % StoredTask.PRIORITIES));
    }

    private Optional<Duration> nextDueIn(ClaimRequest request, Instant now) {
        return claimable(request)
                .filter(task -> !task.wasLost() || request.lostRoom() > 0)
                .map(task -> Duration.between(now, task.dueAt()))
                .min(Duration::compareTo);
    }

    /** What may be claimed by this request, now or once it is due, in claim order. */
    private Stream<StoredTask> claimable(ClaimRequest request) {
        return ready.values().stream()
                .filter(task -> request.room().containsKey(task.queue()))
                .filter(task -> request.types().contains(task.type()))
                .filter(task -> !pausedQueues.contains(task.queue()));
    }

    private static List<TaskChange> each(Set<TaskId> ids, Function<TaskId, TaskChange> change) {
        return ids.stream().sorted().map(change).toList();
    }

    private boolean isLive(TaskId id) {
        @Nullable StoredTask task = tasks.get(id);
        return task != null && !task.status().isFinal();
    }

    private TaskChange requeue(TaskId id) {
        @Nullable StoredTask ended = tasks.get(id);
        if (ended == null) {
            return tasks.values().stream()
                    .filter(task -> task.replaces(id))
                    .findFirst()
                    .map(task -> TaskChange.requeuedBefore(id, task.id()))
                    .orElseGet(() -> TaskChange.unchanged(id, null));
        }
        if (!ended.status().isFinal() || ended.status() == TaskStatus.SUCCEEDED) {
            return TaskChange.unchanged(id, ended.status());
        }
        Instant now = now();
        lastId = TaskIds.after(lastId, now);
        StoredTask fresh = ended.requeuedAs(TaskId.of(lastId), now);
        tasks.remove(id);
        tasks.put(fresh.id(), fresh);
        ready.put(fresh.waiting(), fresh);
        boolean keepsKey =
                ended.dedupKey().map(key -> keys.pass(key, ended, fresh)).orElse(false);
        if (!keepsKey) {
            fresh.loseKey();
        }
        return TaskChange.requeued(id, fresh.id());
    }

    private TaskChange delete(TaskId id) {
        @Nullable StoredTask task = tasks.get(id);
        if (task == null || task.status() != TaskStatus.FAILED) {
            return TaskChange.unchanged(id, task == null ? null : task.status());
        }
        tasks.remove(id);
        task.dedupKey().ifPresent(key -> keys.release(key, task));
        return TaskChange.deleted(id);
    }

    /** Puts a waiting task to another place. */
    private TaskChange move(TaskId id, Consumer<StoredTask> change) {
        @Nullable StoredTask task = tasks.get(id);
        if (task == null || task.status() != TaskStatus.PENDING) {
            return TaskChange.unchanged(id, task == null ? null : task.status());
        }
        ready.remove(task.waiting());
        change.accept(task);
        ready.put(task.waiting(), task);
        return TaskChange.changed(id, TaskStatus.PENDING);
    }

    /** Ends the attempt by {@code move} if it still holds its task; else changes nothing. */
    private void leave(Attempt attempt, Set<Attempt> accepted, Consumer<StoredTask> move) {
        @Nullable HeldLease lease = leases.get(attempt.lease());
        @Nullable StoredTask task = lease == null ? null : lease.held().remove(attempt.id());
        if (lease == null || task == null) {
            return;
        }
        if (lease.held().isEmpty()) {
            leases.remove(attempt.lease());
        }
        move.accept(task);
        accepted.add(attempt);
    }

    private String workerOf(Attempt attempt) {
        @Nullable HeldLease lease = leases.get(attempt.lease());
        return lease == null ? "" : lease.worker();
    }

    private void recordFailure(StoredTask task, Failure failure, String worker, Instant now) {
        task.recordFailure(now, worker, failure.errorClass(), failure.message());
        @Nullable Due retry = failure.retry();
        if (retry == null) {
            task.end(TaskStatus.FAILED, now, failure.runTime());
        } else {
            task.countRetry();
            makeWait(task, retry.from(now));
        }
    }

    private void makeWait(StoredTask task, Instant dueAt) {
        task.waitUntil(dueAt.truncatedTo(ChronoUnit.MICROS));
        ready.put(task.waiting(), task);
    }

    private boolean isRunning(Attempt attempt) {
        @Nullable HeldLease lease = leases.get(attempt.lease());
        return lease != null && lease.held().containsKey(attempt.id());
    }

    private List<Attempt> lapsedAttempts(Instant now, int limit) {
        return leases.entrySet().stream()
                .filter(entry -> entry.getValue().hasLapsed(now))
                .flatMap(entry -> entry.getValue().held().keySet().stream().map(id -> new Attempt(entry.getKey(), id)))
                .limit(limit)
                .toList();
    }

    /** True if the task waits again, false if this loss was one too many. */
    private boolean takeBack(StoredTask task, String worker, Instant now) {
        task.recordFailure(
                now,
                worker,
                "worker lost",
                "the worker was lost: " + worker + " stopped its heartbeat while it ran this task; at most "
                        + task.maxLosses() + " losses are allowed");
        boolean isOneTooMany = task.countLoss();
        if (isOneTooMany) {
            task.end(TaskStatus.FAILED, now, null);
        } else {
            makeWait(task, task.dueAt());
        }
        return !isOneTooMany;
    }

    private void dropAttemptsOf(TaskId id) {
        Iterator<HeldLease> each = leases.values().iterator();
        while (each.hasNext()) {
            HeldLease lease = each.next();
            if (lease.held().remove(id) != null && lease.held().isEmpty()) {
                each.remove();
            }
        }
    }

    private StatusCount count(TaskStatus status) {
        List<StoredTask> counted =
                tasks.values().stream().filter(task -> task.status() == status).toList();
        List<Duration> runTimes =
                counted.stream().flatMap(task -> task.runTime().stream()).toList();
        Optional<Duration> average =
                runTimes.stream().reduce(Duration::plus).map(total -> total.dividedBy(runTimes.size()));
        return new StatusCount(status, counted.size(), true, average);
    }
}
