package dev.sweep.worker;

import dev.sweep.TaskContext;
import dev.sweep.TaskId;
import dev.sweep.spi.ClaimedTask;
import java.util.Map;

/** What a handler sees of its attempt. */
class AttemptContext implements TaskContext {

    private final ClaimedTask task;

    AttemptContext(ClaimedTask task) {
        this.task = task;
    }

    @Override
    public final TaskId id() {
        return task.id();
    }

    @Override
    public final String type() {
        return task.type();
    }

    @Override
    public final String queue() {
        return task.queue();
    }

    @Override
    public final int priority() {
        return task.priority();
    }

    @Override
    public final int attempt() {
        return task.attemptNumber();
    }

    @Override
    public final int maxRetries() {
        return task.maxRetries();
    }

    @Override
    public final Map<String, String> headers() {
        return task.headers();
    }

    @Override
    public final long fencingNumber() {
        return task.attempt().lease();
    }
}
