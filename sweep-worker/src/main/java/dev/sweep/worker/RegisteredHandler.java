package dev.sweep.worker;

import dev.sweep.OutcomeHandler;
import dev.sweep.TaskType;
import dev.sweep.TransactionalTaskHandler;

/** A handler with the type it was registered for. */
sealed interface RegisteredHandler<P> {

    TaskType<P> type();

    record Plain<P>(TaskType<P> type, OutcomeHandler<P> handler) implements RegisteredHandler<P> {}

    record Transactional<P>(TaskType<P> type, TransactionalTaskHandler<P> handler) implements RegisteredHandler<P> {}
}
