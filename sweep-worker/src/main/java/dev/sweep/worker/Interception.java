package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.TaskInterceptor;
import java.util.List;

/** The code of others around every run. Immutable. */
record Interception(List<TaskInterceptor> interceptors) {

    /** Runs a handler; what comes of it is the outcome of its task, if it takes one at a time. */
    <P> void around(RegisteredHandler<P> handler, List<ShareItem<P>> items, TaskInterceptor.Run call) throws Exception {
        Outcome outcome = around(List.copyOf(items), call, 0);
        if (!handler.endsItemByItem()) {
            items.get(0).ended(outcome);
        }
    }

    private <P> Outcome around(List<ShareItem<P>> items, TaskInterceptor.Run call, int depth) throws Exception {
        return depth == interceptors.size()
                ? call.proceed()
                : interceptors
                        .get(depth)
                        .aroundRun(
                                items.stream().map(ShareItem::context).toList(), () -> around(items, call, depth + 1));
    }
}
