package dev.sweep;

/**
 * Does the work of one task type and says how the attempt ended, so that it can snooze, retry later or fail for good
 * without throwing. Called by many threads at once.
 *
 * @param <P> the payload class
 */
@FunctionalInterface
public interface OutcomeHandler<P> {

    Outcome handle(P payload, TaskContext context) throws Exception;
}
