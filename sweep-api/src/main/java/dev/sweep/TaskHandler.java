package dev.sweep;

/**
 * Does the work of one task type. Called by many threads at once, at least once for each task: its effects on other
 * systems must bear being repeated, or use {@link TaskContext#fencingNumber()}.
 *
 * @param <P> the payload class
 */
@FunctionalInterface
public interface TaskHandler<P> {

    /** Returns when the work is done; anything thrown fails the attempt, which is retried while retries are left. */
    void handle(P payload, TaskContext context) throws Exception;
}
