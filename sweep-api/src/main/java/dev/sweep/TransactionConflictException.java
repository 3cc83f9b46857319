package dev.sweep;

import org.jspecify.annotations.Nullable;

/** The database ended the transaction because of a concurrent one (serialization failure, deadlock, lock timeout). Reaction: run the whole transaction again. */
public final class TransactionConflictException extends SweepException {

    private static final long serialVersionUID = 1L;

    public TransactionConflictException(String message) {
        super(message);
    }

    public TransactionConflictException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
