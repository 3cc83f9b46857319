package dev.sweep.testing;

import dev.sweep.TaskId;
import java.util.List;

/**
 * API: an attempt that failed in a drain: the handler threw, or reported a failure.
 *
 * @param attempt counted from 1
 * @param isFinal true if the task has failed with it; false if it waits for its next attempt
 * @param cause what the handler threw; of a reported failure, its reason
 */
public record HandlerFailure(TaskId id, String type, int attempt, boolean isFinal, Throwable cause) {

    /** One error that shows all of them: the first as its cause, the others suppressed. */
    static AssertionError error(String message, List<HandlerFailure> failures) {
        AssertionError error = new AssertionError(
                message + "; the first is " + failures.get(0), failures.get(0).cause());
        failures.stream().skip(1).map(HandlerFailure::cause).forEach(error::addSuppressed);
        return error;
    }

    @Override
    public String toString() {
        return "attempt " + attempt + " of task " + id + " (type " + type + "), "
                + (isFinal ? "which has failed for good" : "which will be tried again") + ": " + cause;
    }
}
