package dev.sweep;

import java.util.List;

/**
 * Code around every enqueue and every run: tracing, tenants, MDC. Called in the order in which interceptors were added,
 * the first outermost. Thread-safe.
 */
public interface TaskInterceptor {

    /**
     * Before a task is enqueued: returns the task to enqueue, such as one with another header. What it throws refuses the
     * enqueue.
     */
    default <P> NewTask<P> beforeEnqueue(NewTask<P> task) {
        return task;
    }

    /**
     * Around the run of a handler, on its thread; in the handler's transaction if it has one. What it returns is the
     * attempt's outcome, and what it throws fails the attempt, as if the handler had done so.
     *
     * @param contexts of the tasks that this run is for: one, or those of a batch. The outcomes of a batch are set task by
     *     task, so there what {@code run} returns only says that the handler did not throw
     */
    default Outcome aroundRun(List<TaskContext> contexts, Run run) throws Exception {
        return run.proceed();
    }

    /** The run itself, with the interceptors further in. */
    @FunctionalInterface
    interface Run {

        /** Runs; to be called once. */
        Outcome proceed() throws Exception;
    }
}
