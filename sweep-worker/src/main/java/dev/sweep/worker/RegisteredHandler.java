package dev.sweep.worker;

import dev.sweep.BatchTaskHandler;
import dev.sweep.OutcomeHandler;
import dev.sweep.TaskType;
import dev.sweep.TransactionalTaskHandler;

/** A handler with the type it was registered for. */
sealed interface RegisteredHandler<P> {

    TaskType<P> type();

    /** How many tasks it takes at once. */
    default int batchSize() {
        return 1;
    }

    record Plain<P>(TaskType<P> type, OutcomeHandler<P> handler) implements RegisteredHandler<P> {}

    record Transactional<P>(TaskType<P> type, TransactionalTaskHandler<P> handler) implements RegisteredHandler<P> {}

    record Batch<P>(TaskType<P> type, int batchSize, BatchTaskHandler<P> handler) implements RegisteredHandler<P> {}
}
