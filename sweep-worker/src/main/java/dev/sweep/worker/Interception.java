package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.TaskContext;
import dev.sweep.TaskInterceptor;
import java.util.List;

/** The code of others around every run. Immutable. */
record Interception(List<TaskInterceptor> interceptors) {

    Outcome around(List<TaskContext> contexts, TaskInterceptor.Run handler) throws Exception {
        return around(contexts, handler, 0);
    }

    private Outcome around(List<TaskContext> contexts, TaskInterceptor.Run handler, int depth) throws Exception {
        return depth == interceptors.size()
                ? handler.proceed()
                : interceptors.get(depth).aroundRun(contexts, () -> around(contexts, handler, depth + 1));
    }
}
