package dev.sweep;

import org.jspecify.annotations.Nullable;

/** The database can't be reached or can't serve now; whether a commit under way happened is unknown. Reaction: try later. */
public class StoreUnavailableException extends SweepException {

    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
