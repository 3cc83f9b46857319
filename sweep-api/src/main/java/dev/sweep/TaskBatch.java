package dev.sweep;

import java.util.List;

/**
 * Tasks of one type that a {@link BatchTaskHandler} works off together, each with an outcome of its own. To be used by the
 * handler's thread until the handler returns.
 *
 * @param <P> the payload class
 */
public interface TaskBatch<P> {

    /** At least one, in the order in which they would have run singly. */
    List<Item<P>> items();

    /** The payloads of the items, in their order. */
    default List<P> payloads() {
        return items().stream().map(Item::payload).toList();
    }

    /**
     * One task of the batch.
     *
     * @param <P> the payload class
     */
    interface Item<P> {

        P payload();

        TaskContext context();

        /** Says how this task's attempt ends; the last word counts. Without one it is {@link Outcome#complete()}. */
        void end(Outcome outcome);
    }
}
