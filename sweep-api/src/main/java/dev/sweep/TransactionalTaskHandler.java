package dev.sweep;

/**
 * Does the work of one task type inside the transaction that also completes the task: what it writes through
 * {@link TransactionContext#connection()} appears exactly once, together with the task's success, or not at all.
 *
 * @param <P> the payload class
 */
@FunctionalInterface
public interface TransactionalTaskHandler<P> {

    /** Returns when the work is done; anything thrown rolls its writes back and fails the attempt. */
    void handle(P payload, TransactionContext context) throws Exception;
}
