package dev.sweep;

import org.jspecify.annotations.Nullable;

/** The database refused a statement for a reason that trying again does not mend. Reaction: read the cause. */
public final class StoreException extends SweepException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
