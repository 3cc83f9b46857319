package dev.sweep.testing;

import dev.sweep.BatchTaskHandler;
import dev.sweep.OutcomeHandler;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.TaskHandler;
import dev.sweep.TaskType;
import dev.sweep.TransactionalBatchHandler;
import dev.sweep.TransactionalOutcomeHandler;
import dev.sweep.TransactionalTaskHandler;
import dev.sweep.event.TaskEventListener;
import dev.sweep.worker.SteppedWorker;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * API: a worker for tests of handlers: no threads, no waiting. {@link #drain()} runs on the calling thread what is due by
 * the store's clock; to see retries, snoozes and delayed tasks run, move that clock and drain again. Handlers and settings
 * may be added between drains. Not thread-safe.
 */
public final class SteppedEngine {

    private static final int DEFAULT_LIMIT = 10_000;
    private static final int MAX_LIMIT = 1_000_000;

    private final WorkerBuilder builder;
    private final WaitingTasks waiting;
    private final DrainLog log = new DrainLog();
    private final List<Drained> drains = new ArrayList<>();
    private @Nullable SteppedWorker worker;

    private SteppedEngine(Sweep sweep) {
        this.builder = Worker.builder(sweep).name("stepped").listener(log);
        this.waiting = new WaitingTasks(sweep);
    }

    /** An engine on the store of {@code sweep}, without handlers yet. */
    public static SteppedEngine of(Sweep sweep) {
        return new SteppedEngine(sweep);
    }

    /** Works on this queue; the default is {@code default} and the default queues of the types with a handler. */
    public SteppedEngine queue(String queue) {
        return worker(settings -> settings.queue(queue, 1));
    }

    /** As {@link WorkerBuilder#handle}. */
    public <P> SteppedEngine handle(TaskType<P> type, TaskHandler<P> handler) {
        return worker(settings -> settings.handle(type, handler));
    }

    /** As {@link WorkerBuilder#handleForOutcome}. */
    public <P> SteppedEngine handleForOutcome(TaskType<P> type, OutcomeHandler<P> handler) {
        return worker(settings -> settings.handleForOutcome(type, handler));
    }

    /** As {@link WorkerBuilder#handleInTransaction}. */
    public <P> SteppedEngine handleInTransaction(TaskType<P> type, TransactionalTaskHandler<P> handler) {
        return worker(settings -> settings.handleInTransaction(type, handler));
    }

    /** As {@link WorkerBuilder#handleInTransactionForOutcome}. */
    public <P> SteppedEngine handleInTransactionForOutcome(TaskType<P> type, TransactionalOutcomeHandler<P> handler) {
        builder.handleInTransactionForOutcome(type, handler);
        return this;
    }

    /** As {@link WorkerBuilder#handleBatchInTransaction}; the engine runs one task at a time, so each batch has one. */
    public <P> SteppedEngine handleBatchInTransaction(
            TaskType<P> type, int batchSize, TransactionalBatchHandler<P> handler) {
        builder.handleBatchInTransaction(type, batchSize, handler);
        return this;
    }

    /** As {@link WorkerBuilder#handleBatch}; the engine runs one task at a time, so each batch has one. */
    public <P> SteppedEngine handleBatch(TaskType<P> type, int batchSize, BatchTaskHandler<P> handler) {
        return worker(settings -> settings.handleBatch(type, batchSize, handler));
    }

    /** What follows a failed attempt, for all types. */
    public SteppedEngine retryPolicy(RetryPolicy policy) {
        return worker(settings -> settings.retryPolicy(policy));
    }

    /** Adds a listener. */
    public SteppedEngine listener(TaskEventListener listener) {
        return worker(settings -> settings.listener(listener));
    }

    /**
     * Whatever else a worker can be told, such as the method in which an application registers all its handlers. Settings
     * that are about threads and time between looks have no effect.
     */
    public SteppedEngine worker(Consumer<WorkerBuilder> settings) {
        settings.accept(builder);
        worker = null;
        return this;
    }

    /** As {@link #drain(int)} with a limit of 10,000 attempts. */
    public Drained drain() {
        return drain(DEFAULT_LIMIT);
    }

    /**
     * Runs everything that is due now, and what becomes due by it, until nothing is.
     *
     * @param limit how many attempts it may take, 1 to 1,000,000
     * @throws dev.sweep.InvalidConfigurationException if handlers or queues are not right, as {@link WorkerBuilder#build()}
     * @throws IllegalStateException that names the busiest tasks, if it ran more than the limit: a task enqueues itself, or
     *     is retried or snoozed without delay
     */
    public Drained drain(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit " + limit + " is out of range; use 1 to " + MAX_LIMIT);
        }
        Drained drained = run(limit + 1);
        if (drained.attempts() > limit) {
            throw tooMany(drained, limit);
        }
        drains.add(drained);
        return drained;
    }

    /** Runs the next attempt that is due, if there is one. */
    public Drained runNext() {
        Drained drained = run(1);
        drains.add(drained);
        return drained;
    }

    /** The failures of all drains so far that nobody asked for. */
    List<HandlerFailure> unseenFailures() {
        return drains.stream()
                .flatMap(drained -> drained.unseenFailures().stream())
                .toList();
    }

    private Drained run(int attempts) {
        SteppedWorker stepped = worker;
        if (stepped == null) {
            stepped = builder.buildStepped();
            worker = stepped;
        }
        log.clear();
        int ran = stepped.runDue(attempts);
        return new Drained(ran, log.succeeded(), log.failures(), waiting::toString);
    }

    private IllegalStateException tooMany(Drained drained, int limit) {
        IllegalStateException error = new IllegalStateException("drain stopped after " + drained.attempts()
                + " attempts, over its limit of " + limit + "; most often ran " + log.busiest()
                + "; if no task keeps itself going, pass a higher limit");
        drained.failures().stream().limit(1).map(HandlerFailure::cause).forEach(error::addSuppressed);
        return error;
    }
}
