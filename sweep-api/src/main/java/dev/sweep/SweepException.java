package dev.sweep;

import org.jspecify.annotations.Nullable;

/** The root of what Sweep throws; each subtype stands for one reaction of the caller. Never holds a payload. */
public abstract class SweepException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    protected SweepException(String message) {
        super(message);
    }

    protected SweepException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
