package dev.sweep.worker;

import org.jspecify.annotations.Nullable;

/** What a log prints in place of an exception that says too much: its text, cleaned, and its stack. Never thrown. */
final class LoggedError extends Throwable {

    private static final long serialVersionUID = 1L;

    LoggedError(String text, StackTraceElement[] stack, @Nullable LoggedError cause) {
        super(text, cause, false, true);
        setStackTrace(stack);
    }
}
