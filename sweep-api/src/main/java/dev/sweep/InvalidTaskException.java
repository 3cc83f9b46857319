package dev.sweep;

import org.jspecify.annotations.Nullable;

/** What was asked is not a task that Sweep can store; nothing was written. Reaction: mend the value that the message names. */
public final class InvalidTaskException extends SweepException {

    private static final long serialVersionUID = 1L;

    public InvalidTaskException(String message) {
        super(message);
    }

    public InvalidTaskException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
