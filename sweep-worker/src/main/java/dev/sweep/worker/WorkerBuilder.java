package dev.sweep.worker;

import dev.sweep.BatchTaskHandler;
import dev.sweep.InvalidTaskException;
import dev.sweep.Outcome;
import dev.sweep.OutcomeHandler;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.TaskHandler;
import dev.sweep.TaskType;
import dev.sweep.TransactionalBatchHandler;
import dev.sweep.TransactionalOutcomeHandler;
import dev.sweep.TransactionalTaskHandler;
import dev.sweep.event.TaskEventListener;
import dev.sweep.spi.ConnectionBudget;
import dev.sweep.spi.TransactionalStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * API: collects handlers and settings of a {@link Worker}. Every setting has a default but the handlers. Nothing is checked
 * before {@link #build()}, which tells all faults at once. Not thread-safe.
 */
public final class WorkerBuilder {

    private static final int MAX_NAME_CHARS = 100;
    private static final int SUFFIX_CHARS = 8;
    private static final int MAX_SLOTS = 10_000;
    private static final int SLOTS_PER_CORE = 2;
    private static final int MAX_BATCH = 10_000;
    private static final int MAX_BUFFER = 100_000;
    private static final long MAX_BUFFER_BYTES = 1L << 40;
    private static final Duration MIN_LEASE = Duration.ofMillis(100);
    private static final Duration MAX_LEASE = Duration.ofDays(1);
    private static final Duration MIN_INTERVAL = Duration.ofMillis(1);
    private static final Duration MAX_INTERVAL = Duration.ofHours(1);
    private static final int LEASES_PER_RECLAIM = 3;

    private final Sweep sweep;
    /** What was wrong while it was said; the rest is judged by each build anew. */
    private final List<String> repetitions = new ArrayList<>();

    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private final Map<String, RegisteredHandler<?>> handlers = new LinkedHashMap<>();
    private final Map<String, TypeSettings> settings = new LinkedHashMap<>();
    private final List<TaskEventListener> listeners = new ArrayList<>();
    private TaskEventListener logging = new LoggingListener();
    private RetryPolicy defaultRetryPolicy = RetryPolicy.ofDefaults();
    private String name = "worker";
    private Duration leaseDuration = Duration.ofSeconds(30);
    private Duration heartbeat = Duration.ofSeconds(10);
    private @Nullable Duration reclaimInterval;
    private Duration shortestPoll = Duration.ofMillis(100);
    private Duration longestPoll = Duration.ofSeconds(1);
    private Duration longestWokenPoll = Duration.ofSeconds(2);
    private int smallestBatch = 50;
    private int largestBatch = 500;
    private double fairShare = 0.05;
    private int bufferLimit = 1_000;
    private long bufferBytes = 64L << 20;
    private Duration stopTimeout = Duration.ofSeconds(30);
    private boolean closesOnShutdown;

    WorkerBuilder(Sweep sweep) {
        this.sweep = sweep;
    }

    /**
     * What people recognise the worker by, such as the host: 1 to 100 characters; the default is {@code worker}. A random
     * suffix makes the real name unique per start.
     */
    public WorkerBuilder name(String name) {
        this.name = name;
        return this;
    }

    /**
     * Works on a queue; call it once for each. The default is the queue {@code default} with two slots per core.
     *
     * @param slots how many of its attempts run at once in this process, 1 to 10,000
     */
    public WorkerBuilder queue(String queue, int slots) {
        if (this.slots.containsKey(queue)) {
            repetitions.add("queue '" + queue + "' is given twice; give it once, with all its slots");
        }
        this.slots.put(queue, slots);
        return this;
    }

    /** Runs tasks of this type; what the handler throws fails the attempt. One handler per type name. */
    public <P> WorkerBuilder handle(TaskType<P> type, TaskHandler<P> handler) {
        return handleForOutcome(type, (payload, context) -> {
            handler.handle(payload, context);
            return Outcome.complete();
        });
    }

    /** Runs tasks of this type; the handler says how the attempt ended. One handler per type name. */
    public <P> WorkerBuilder handleForOutcome(TaskType<P> type, OutcomeHandler<P> handler) {
        return register(new RegisteredHandler.Single<>(type, handler));
    }

    /**
     * Runs tasks of this type in the transaction that completes them, so that what the handler writes appears exactly
     * once. Needs a store with transactions. One handler per type name.
     */
    public <P> WorkerBuilder handleInTransaction(TaskType<P> type, TransactionalTaskHandler<P> handler) {
        return handleInTransactionForOutcome(type, (payload, context) -> {
            handler.handle(payload, context);
            return Outcome.complete();
        });
    }

    /**
     * Like {@link #handleInTransaction}; the handler says how the attempt ended, and only a completion commits what it
     * wrote. One handler per type name.
     */
    public <P> WorkerBuilder handleInTransactionForOutcome(TaskType<P> type, TransactionalOutcomeHandler<P> handler) {
        return register(new RegisteredHandler.TransactionalSingle<>(type, handler));
    }

    /**
     * Runs tasks of this type together, as many as wait here, in one slot and in one transaction, which also completes
     * them. Needs a store with transactions. Tasks that were lost before run singly. One handler per type name.
     *
     * @param batchSize how many at most, 1 to 10,000
     */
    public <P> WorkerBuilder handleBatchInTransaction(
            TaskType<P> type, int batchSize, TransactionalBatchHandler<P> handler) {
        return register(new RegisteredHandler.TransactionalBatch<>(type, batchSize, handler));
    }

    /**
     * Runs tasks of this type together, as many as wait here, in one slot. Tasks that were lost before run singly. One
     * handler per type name.
     *
     * @param batchSize how many at most, 1 to 10,000
     */
    public <P> WorkerBuilder handleBatch(TaskType<P> type, int batchSize, BatchTaskHandler<P> handler) {
        return register(new RegisteredHandler.Batch<>(type, batchSize, handler));
    }

    /** What follows a failed attempt, for types without a policy of their own; the default backs off exponentially. */
    public WorkerBuilder retryPolicy(RetryPolicy policy) {
        this.defaultRetryPolicy = policy;
        return this;
    }

    /** What follows a failed attempt of this type. */
    public WorkerBuilder retryPolicy(TaskType<?> type, RetryPolicy policy) {
        return set(type, settingsOf(type).withRetryPolicy(policy));
    }

    /**
     * How long an attempt of this type may run, 1 ms to 1 day; the default is without end. At its end the attempt fails
     * with a {@link TimeoutException}, whatever its handler does from then on, and its thread is interrupted. A handler
     * that ignores that keeps its thread, and another one takes its place: up to as many as the queue has slots, after
     * which {@link Worker#health()} tells.
     */
    public WorkerBuilder timeout(TaskType<?> type, Duration timeout) {
        return set(type, settingsOf(type).withTimeout(timeout));
    }

    /**
     * How many attempts of this type may run at once in this process, 1 to 10,000; the default is as many as there are
     * slots. Others use the slots meanwhile.
     */
    public WorkerBuilder concurrency(TaskType<?> type, int concurrency) {
        return set(type, settingsOf(type).withConcurrency(concurrency));
    }

    /**
     * How long a claim holds without a heartbeat, 100 ms to 1 day; the default is 30 s. Longer bears longer pauses of the
     * process; shorter gives tasks of a vanished process back sooner.
     */
    public WorkerBuilder leaseDuration(Duration leaseDuration) {
        this.leaseDuration = leaseDuration;
        return this;
    }

    /** The time between heartbeats, 1 ms to less than half the lease duration; the default is 10 s. */
    public WorkerBuilder heartbeat(Duration heartbeat) {
        this.heartbeat = heartbeat;
        return this;
    }

    /** The time between looks for tasks of vanished workers, 1 ms to 1 h; the default is a third of the lease duration. */
    public WorkerBuilder reclaimInterval(Duration reclaimInterval) {
        this.reclaimInterval = reclaimInterval;
        return this;
    }

    /**
     * How often it looks for due tasks when nothing says that there are some: after {@code shortest} following activity,
     * backing off to {@code longest}; 1 ms to 1 h each. The defaults are 100 ms and 2 s, or 1 s while the store's wake-ups
     * don't arrive; values given here hold in both cases. Longer costs the database less, and finds later what no wake-up
     * told of: tasks enqueued by SQL, or in a transaction of the application's that no {@link Sweep#announce} followed.
     */
    public WorkerBuilder pollInterval(Duration shortest, Duration longest) {
        this.shortestPoll = shortest;
        this.longestPoll = longest;
        this.longestWokenPoll = longest;
        return this;
    }

    /**
     * How many tasks one claim may bring: {@code smallest} at first, up to {@code largest} while claims come back full; 1
     * to 10,000 each. The defaults are 50 and 500. Larger costs the database less per task and spreads tasks less evenly
     * over processes.
     */
    public WorkerBuilder batch(int smallest, int largest) {
        this.smallestBatch = smallest;
        this.largestBatch = largest;
        return this;
    }

    /**
     * Which share of the claims looks at all priorities alike while there is a backlog, so that tasks of low priority don't
     * wait for ever behind urgent ones that never end: 0 (strictly by priority) to 1; the default is 0.05.
     */
    public WorkerBuilder fairShare(double share) {
        this.fairShare = share;
        return this;
    }

    /** How many claimed tasks may wait for a slot, 0 to 100,000; the default is 1,000. */
    public WorkerBuilder bufferLimit(int tasks) {
        this.bufferLimit = tasks;
        return this;
    }

    /**
     * How much memory the payloads of waiting tasks may take, in bytes, at least 1; the default is 64 MiB. A single claim
     * may exceed it, as sizes are known only once the tasks are here.
     */
    public WorkerBuilder bufferBytes(long bytes) {
        this.bufferBytes = bytes;
        return this;
    }

    /** How long a stop waits for attempts under way before it interrupts them, 0 to 1 h; the default is 30 s. */
    public WorkerBuilder stopTimeout(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
        return this;
    }

    /**
     * Whether the worker closes itself, as by {@link Worker#close()}, when the JVM is told to end (SIGTERM, SIGINT, {@code
     * System.exit}); the JVM then waits for it, no longer than the stop timeout and two seconds. The default is false: the
     * application closes it. The source of connections has to outlive it: don't close that in a shutdown hook of its own.
     */
    public WorkerBuilder closeOnShutdown(boolean closeOnShutdown) {
        this.closesOnShutdown = closeOnShutdown;
        return this;
    }

    /** Adds a listener, called after those added before. */
    public WorkerBuilder listener(TaskEventListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Replaces the {@link LoggingListener} that every worker has; {@code event -> {}} silences it. */
    public WorkerBuilder logging(TaskEventListener listener) {
        this.logging = listener;
        return this;
    }

    /**
     * A worker that does nothing until it is started.
     *
     * @throws dev.sweep.InvalidConfigurationException with all faults at once: ranges, contradictions, no handler, two
     *     handlers for a type or an alias, a queue given twice, a transactional handler on a store without transactions
     */
    public Worker build() {
        WorkerConfig config = config(slots.isEmpty() ? defaultSlots() : slots);
        return new Worker(sweep, config, registry(), publisher());
    }

    /**
     * A worker without threads, for tests: it runs what is due when it is told to, one task at a time. If no queue was
     * given, it works on {@code default} and the default queues of its types.
     *
     * @throws dev.sweep.InvalidConfigurationException as {@link #build()} does
     */
    public SteppedWorker buildStepped() {
        Map<String, Integer> queues = new LinkedHashMap<>(slots);
        if (queues.isEmpty()) {
            queues.put(TaskType.DEFAULT_QUEUE, 1);
            handlers.values().forEach(handler -> queues.put(handler.type().queue(), 1));
        }
        WorkerConfig config = config(queues);
        return new SteppedWorker(sweep, config, registry(), publisher());
    }

    private TypeSettings settingsOf(TaskType<?> type) {
        return settings.getOrDefault(type.name(), TypeSettings.NONE);
    }

    private WorkerBuilder set(TaskType<?> type, TypeSettings changed) {
        settings.put(type.name(), changed);
        return this;
    }

    private WorkerBuilder register(RegisteredHandler<?> handler) {
        String type = handler.type().name();
        if (handlers.containsKey(type)) {
            repetitions.add("type '" + type + "' has two handlers; register one, and join their work");
        }
        handlers.put(type, handler);
        return this;
    }

    private WorkerConfig config(Map<String, Integer> queues) {
        Faults faults = new Faults(repetitions);
        checkQueues(queues, faults);
        checkHandlers(faults);
        checkConnections(faults);
        checkTimes(faults);
        checkSizes(faults);
        faults.throwIfAny();
        return new WorkerConfig(
                name,
                queues,
                leaseDuration,
                heartbeat,
                reclaimIntervalOrDefault(),
                shortestPoll,
                longestPoll,
                longestWokenPoll,
                smallestBatch,
                largestBatch,
                fairShare,
                bufferLimit,
                bufferBytes,
                stopTimeout,
                closesOnShutdown);
    }

    private void checkQueues(Map<String, Integer> queues, Faults faults) {
        queues.forEach((queue, count) -> {
            faults.range("slots of queue '" + queue + "'", count, 1, MAX_SLOTS);
            checkQueueName(queue, faults);
        });
        faults.addUnless(
                !name.isBlank() && name.length() <= MAX_NAME_CHARS,
                "name '" + name + "' has " + name.length() + " characters; use 1 to " + MAX_NAME_CHARS
                        + " that are not all blank");
    }

    private static void checkQueueName(String queue, Faults faults) {
        try {
            TaskType.json("any").inQueue(queue);
        } catch (InvalidTaskException invalid) {
            faults.add(String.valueOf(invalid.getMessage()));
        }
    }

    private void checkHandlers(Faults faults) {
        faults.addUnless(!handlers.isEmpty(), "there is no handler; register at least one with handle(type, handler)");
        boolean hasTransactions = sweep.store() instanceof TransactionalStore;
        handlers.forEach((type, handler) -> faults.addUnless(
                hasTransactions || !(handler instanceof RegisteredHandler.Transactional<?>),
                "type '" + type + "' has a transactional handler, but the store "
                        + sweep.store().getClass().getSimpleName()
                        + " has no transactions; use handle(type, handler), or a store on PostgreSQL"));
        handlers.forEach((type, handler) ->
                faults.range("batch size of type '" + type + "'", handler.batchSize(), 1, MAX_BATCH));
        settings.forEach((type, set) -> checkSettings(type, set, faults));
        checkAliases(faults);
    }

    private void checkAliases(Faults faults) {
        Map<String, String> types = new LinkedHashMap<>();
        handlers.keySet().forEach(name -> types.put(name, name));
        handlers.forEach((type, handler) -> handler.type().aliases().stream()
                .sorted()
                .forEach(alias -> {
                    @Nullable String other = types.putIfAbsent(alias, type);
                    faults.addUnless(
                            other == null,
                            "type '" + type + "' has the alias '" + alias + "', under which tasks of type '" + other
                                    + "' run; leave the alias or the other handler out");
                }));
    }

    private void checkSettings(String type, TypeSettings set, Faults faults) {
        faults.addUnless(
                handlers.containsKey(type),
                "type '" + type + "' has settings and no handler; register one, or leave the settings out");
        set.timeout()
                .ifPresent(timeout -> faults.range("timeout of type '" + type + "'", timeout, MIN_INTERVAL, MAX_LEASE));
        set.concurrency().ifPresent(limit -> faults.range("concurrency of type '" + type + "'", limit, 1, MAX_SLOTS));
    }

    /** That slots share connections is told when it starts; that there is none for them, or for the worker, is wrong. */
    private void checkConnections(Faults faults) {
        connectionBudget()
                .ifPresent(budget -> faults.addUnless(
                        budget.transactions() >= (registry().hasTransactional() ? 1 : 0),
                        "the connection pool has at most " + budget.total() + " connections, and a worker keeps "
                                + budget.kept() + "; raise maximumPoolSize to " + budget.kept()
                                + " and one for each slot that may run a transactional handler"));
    }

    private Optional<ConnectionBudget> connectionBudget() {
        return sweep.store() instanceof TransactionalStore store ? store.connectionBudget() : Optional.empty();
    }

    private void checkTimes(Faults faults) {
        faults.range("leaseDuration", leaseDuration, MIN_LEASE, MAX_LEASE);
        faults.range("heartbeat", heartbeat, MIN_INTERVAL, MAX_LEASE);
        faults.addUnless(
                heartbeat.multipliedBy(2).compareTo(leaseDuration) < 0,
                "heartbeat " + heartbeat + " is not less than half the leaseDuration " + leaseDuration
                        + "; beat sooner, so that one lost beat doesn't cost the lease, or raise leaseDuration");
        faults.range("reclaimInterval", reclaimIntervalOrDefault(), MIN_INTERVAL, Duration.ofDays(1));
        faults.range("shortest pollInterval", shortestPoll, MIN_INTERVAL, MAX_INTERVAL);
        faults.range("longest pollInterval", longestPoll, MIN_INTERVAL, MAX_INTERVAL);
        faults.addUnless(
                shortestPoll.compareTo(longestPoll) <= 0,
                "shortest pollInterval " + shortestPoll + " is longer than the longest, " + longestPoll
                        + "; lower the one or raise the other");
        faults.range("stopTimeout", stopTimeout, Duration.ZERO, MAX_INTERVAL);
    }

    private void checkSizes(Faults faults) {
        faults.range("smallest batch", smallestBatch, 1, MAX_BATCH);
        faults.range("largest batch", largestBatch, 1, MAX_BATCH);
        faults.addUnless(
                smallestBatch <= largestBatch,
                "smallest batch " + smallestBatch + " is larger than the largest, " + largestBatch
                        + "; lower the one or raise the other");
        faults.addUnless(fairShare >= 0 && fairShare <= 1, "fairShare " + fairShare + " is out of range; use 0 to 1");
        faults.range("bufferLimit", bufferLimit, 0, MAX_BUFFER);
        faults.range("bufferBytes", bufferBytes, 1, MAX_BUFFER_BYTES);
    }

    private Duration reclaimIntervalOrDefault() {
        return reclaimInterval != null ? reclaimInterval : leaseDuration.dividedBy(LEASES_PER_RECLAIM);
    }

    private HandlerRegistry registry() {
        return new HandlerRegistry(handlers, settings, defaultRetryPolicy);
    }

    private EventPublisher publisher() {
        List<TaskEventListener> all = new ArrayList<>();
        all.add(logging);
        all.addAll(listeners);
        String suffix = UUID.randomUUID().toString().substring(0, SUFFIX_CHARS);
        return new EventPublisher(name + "-" + suffix, all);
    }

    private static Map<String, Integer> defaultSlots() {
        return Map.of(
                TaskType.DEFAULT_QUEUE, SLOTS_PER_CORE * Runtime.getRuntime().availableProcessors());
    }
}
