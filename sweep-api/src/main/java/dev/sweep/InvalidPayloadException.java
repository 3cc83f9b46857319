package dev.sweep;

import org.jspecify.annotations.Nullable;

/** A payload that can't be stored as JSON, or a stored one that its class can't be read from. Reaction: mend the payload or its class. */
public final class InvalidPayloadException extends SweepException {

    private static final long serialVersionUID = 1L;

    public InvalidPayloadException(String message) {
        super(message);
    }

    public InvalidPayloadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
