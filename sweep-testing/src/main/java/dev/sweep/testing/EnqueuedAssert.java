package dev.sweep.testing;

import dev.sweep.Task;
import dev.sweep.TaskType;
import dev.sweep.spi.PayloadCodec;
import java.util.List;

/**
 * API: assertions about the tasks of one type, in the order in which they were enqueued; see {@link TasksAssert}. Immutable.
 *
 * @param <P> the payload class of the type
 */
public final class EnqueuedAssert<P> {

    private final TaskType<P> type;
    private final PayloadCodec codec;
    private final List<Task> tasks;

    EnqueuedAssert(TaskType<P> type, PayloadCodec codec, List<Task> tasks) {
        this.type = type;
        this.codec = codec;
        this.tasks = tasks;
    }

    public EnqueuedAssert<P> hasSize(int expected) {
        if (tasks.size() != expected) {
            throw new AssertionError("expected " + expected + " tasks of type " + type + ", but there are "
                    + tasks.size() + ": " + tasks);
        }
        return this;
    }

    /** Fails unless these are all the payloads, in the order in which they were enqueued. */
    @SafeVarargs
    public final EnqueuedAssert<P> hasPayloads(P... expected) {
        hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            get(i).hasPayload(expected[i]);
        }
        return this;
    }

    /** The only task of the type; fails if there are more. */
    public TaskAssert<P> single() {
        return hasSize(1).first();
    }

    public TaskAssert<P> first() {
        return get(0);
    }

    public TaskAssert<P> last() {
        return get(tasks.size() - 1);
    }

    /** The one at this index, counted from 0 in the order in which they were enqueued. */
    public TaskAssert<P> get(int index) {
        if (index < 0 || index >= tasks.size()) {
            throw new AssertionError("expected a task of type " + type + " at index " + index + ", but there are "
                    + tasks.size() + ": " + tasks);
        }
        return new TaskAssert<>(type, codec, tasks.get(index));
    }

    /** The tasks, for assertions that this class does not have. */
    public List<Task> tasks() {
        return List.copyOf(tasks);
    }
}
