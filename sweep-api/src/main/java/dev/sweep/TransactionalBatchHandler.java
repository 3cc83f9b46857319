package dev.sweep;

/**
 * Does the work of many tasks of one type inside one transaction, which also completes them: what it writes through
 * {@link TransactionBatch#connection()} appears exactly once, together with the success of all of them.
 *
 * @param <P> the payload class
 */
@FunctionalInterface
public interface TransactionalBatchHandler<P> {

    /**
     * Returns when the work is done. If one of the tasks is given another outcome than {@link Outcome#complete()}, all that
     * was written is rolled back, that outcome is recorded, and the others run again at once without it; so it is with a
     * task that is no longer this worker's to run. If it throws, each of the tasks runs once more in a transaction of its
     * own, so that a bad one fails alone.
     */
    void handle(TransactionBatch<P> batch) throws Exception;
}
