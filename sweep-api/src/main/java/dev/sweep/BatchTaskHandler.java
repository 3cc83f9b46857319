package dev.sweep;

/**
 * Does the work of many tasks of one type at once, such as one call of a bulk interface. Called by many threads at once,
 * at least once for each task.
 *
 * @param <P> the payload class
 */
@FunctionalInterface
public interface BatchTaskHandler<P> {

    /**
     * Returns when the work is done; tasks that did not go well are given another outcome by {@link TaskBatch.Item#end}.
     * If it throws, it is called again at once with each of the tasks singly, so that a bad one fails alone; what it
     * throws then fails that attempt.
     */
    void handle(TaskBatch<P> batch) throws Exception;
}
