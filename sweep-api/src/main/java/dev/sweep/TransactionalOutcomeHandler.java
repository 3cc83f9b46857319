package dev.sweep;

/**
 * Does the work of one task type inside the transaction that also completes the task, and says how the attempt ended. Only
 * {@link Outcome#complete()}, with or without a result, commits what it wrote; any other outcome rolls it back, and is
 * recorded afterwards.
 *
 * @param <P> the payload class
 */
@FunctionalInterface
public interface TransactionalOutcomeHandler<P> {

    Outcome handle(P payload, TransactionContext context) throws Exception;
}
