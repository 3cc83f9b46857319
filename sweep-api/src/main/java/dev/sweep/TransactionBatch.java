package dev.sweep;

/**
 * Tasks of one type that are worked off, and completed, in one transaction.
 *
 * @param <P> the payload class
 */
public interface TransactionBatch<P> extends TaskBatch<P>, HandlerTransaction {}
