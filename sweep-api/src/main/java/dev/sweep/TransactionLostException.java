package dev.sweep;

import org.jspecify.annotations.Nullable;

/**
 * The connection of a handler's transaction was lost after the handler had begun, through no fault of the handler's as far
 * as is known. Nothing of it was committed, or the task has its success beside it. Reaction: let the attempt go; its task
 * runs again at the cost of one loss, so that a task that breaks every connection comes to an end.
 */
public final class TransactionLostException extends StoreUnavailableException {

    private static final long serialVersionUID = 1L;

    public TransactionLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
