package dev.sweep;

/** The context of a handler that runs inside the transaction which completes its task. */
public interface TransactionContext extends TaskContext, HandlerTransaction {}
