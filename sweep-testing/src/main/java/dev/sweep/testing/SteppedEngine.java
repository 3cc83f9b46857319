package dev.sweep.testing;

import dev.sweep.BatchTaskHandler;
import dev.sweep.OutcomeHandler;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.TaskHandler;
import dev.sweep.TaskType;
import dev.sweep.TransactionalTaskHandler;
import dev.sweep.event.TaskEventListener;
import dev.sweep.worker.SteppedWorker;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * API: a worker for unit tests of handlers: no threads, no waiting. {@link #drain()} runs on the calling thread what is due
 * by the store's clock; to see retries, snoozes and delayed tasks run, move that clock and drain again. Not thread-safe.
 */
public final class SteppedEngine {

    private static final int DEFAULT_LIMIT = 100_000;
    private static final int MAX_LIMIT = 1_000_000;

    private final WorkerBuilder builder;
    private @Nullable SteppedWorker worker;
    private int limit = DEFAULT_LIMIT;

    private SteppedEngine(WorkerBuilder builder) {
        this.builder = builder;
    }

    /** An engine on the store of {@code sweep}, without handlers yet. */
    public static SteppedEngine of(Sweep sweep) {
        return new SteppedEngine(Worker.builder(sweep).name("stepped"));
    }

    /** Works on this queue; the default is {@code default} and the default queues of the types with a handler. */
    public SteppedEngine queue(String queue) {
        builder.queue(queue, 1);
        return this;
    }

    /** As {@link WorkerBuilder#handle}. */
    public <P> SteppedEngine handle(TaskType<P> type, TaskHandler<P> handler) {
        builder.handle(type, handler);
        return this;
    }

    /** As {@link WorkerBuilder#handleForOutcome}. */
    public <P> SteppedEngine handleForOutcome(TaskType<P> type, OutcomeHandler<P> handler) {
        builder.handleForOutcome(type, handler);
        return this;
    }

    /** As {@link WorkerBuilder#handleInTransaction}. */
    public <P> SteppedEngine handleInTransaction(TaskType<P> type, TransactionalTaskHandler<P> handler) {
        builder.handleInTransaction(type, handler);
        return this;
    }

    /** As {@link WorkerBuilder#handleBatch}; the engine runs one task at a time, so each batch has one. */
    public <P> SteppedEngine handleBatch(TaskType<P> type, int batchSize, BatchTaskHandler<P> handler) {
        builder.handleBatch(type, batchSize, handler);
        return this;
    }

    /** What follows a failed attempt, for all types. */
    public SteppedEngine retryPolicy(RetryPolicy policy) {
        builder.retryPolicy(policy);
        return this;
    }

    /** Adds a listener. */
    public SteppedEngine listener(TaskEventListener listener) {
        builder.listener(listener);
        return this;
    }

    /** How many attempts one drain may run, 1 to 1,000,000; the default is 100,000. */
    public SteppedEngine limit(int attempts) {
        if (attempts < 1 || attempts > MAX_LIMIT) {
            throw new IllegalArgumentException("limit " + attempts + " is out of range; use 1 to " + MAX_LIMIT);
        }
        this.limit = attempts;
        return this;
    }

    /**
     * Runs everything that is due now, and what becomes due by it, until nothing is. The first drain fixes the handlers.
     *
     * @return how many attempts ran
     * @throws dev.sweep.InvalidConfigurationException if handlers or queues are not right, as {@link WorkerBuilder#build()}
     * @throws IllegalStateException if it ran more than the limit, as by a task that enqueues itself or retries without delay
     */
    public int drain() {
        SteppedWorker stepped = worker;
        if (stepped == null) {
            stepped = builder.buildStepped();
            worker = stepped;
        }
        int ran = stepped.runDue(limit + 1);
        if (ran > limit) {
            throw new IllegalStateException("drain stopped after " + ran + " attempts, over its limit of " + limit
                    + "; if no task keeps itself going, raise limit");
        }
        return ran;
    }
}
