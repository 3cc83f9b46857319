package dev.sweep.testing;

import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskType;
import dev.sweep.spi.PayloadCodec;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * API: assertions about the tasks of a store, as they stand when this is made. They throw {@link AssertionError}s that say
 * what is there instead, and need no library. Immutable.
 *
 * <pre>{@code
 * assertThatTasks(sweep).enqueued(WELCOME).hasSize(1).first().hasPayload(new Welcome("ada@example.org")).hasPriority(7);
 * assertThatTasks(sweep).notEnqueued(INVOICE);
 * }</pre>
 */
public final class TasksAssert {

    private static final int PAGE = 10_000;

    private final List<Task> tasks;
    private final PayloadCodec codec;

    private TasksAssert(List<Task> tasks, PayloadCodec codec) {
        this.tasks = tasks;
        this.codec = codec;
    }

    /** About everything that is in the store. */
    public static TasksAssert assertThatTasks(Sweep sweep) {
        return new TasksAssert(all(sweep), sweep.codec());
    }

    /**
     * About everything that this connection sees, and so about what its open transaction has enqueued. For PostgreSQL; reads
     * the view {@code tasks}, and changes nothing.
     *
     * @param schema that of the store, which is {@code sweep} unless said otherwise
     */
    public static TasksAssert assertThatTasks(Sweep sweep, Connection tx, String schema) {
        return new TasksAssert(TaskRows.read(tx, schema), sweep.codec());
    }

    /** Fails unless there is at least one task of this type, whatever its status. */
    public <P> EnqueuedAssert<P> enqueued(TaskType<P> type) {
        List<Task> found = ofType(type);
        if (found.isEmpty()) {
            throw new AssertionError("expected a task of type " + type + ", but there is none; " + summary());
        }
        return new EnqueuedAssert<>(type, codec, found);
    }

    /** Fails if there is a task of this type, whatever its status. */
    public TasksAssert notEnqueued(TaskType<?> type) {
        List<Task> found = ofType(type);
        if (!found.isEmpty()) {
            throw new AssertionError("expected no task of type " + type + ", but there is " + found);
        }
        return this;
    }

    /** Fails if there is any task. */
    public void nothingEnqueued() {
        if (!tasks.isEmpty()) {
            throw new AssertionError("expected no task at all, but " + summary());
        }
    }

    private List<Task> ofType(TaskType<?> type) {
        return tasks.stream().filter(task -> task.type().equals(type.name())).toList();
    }

    private String summary() {
        if (tasks.isEmpty()) {
            return "no task is there at all";
        }
        return "these are there: "
                + tasks.stream()
                        .collect(Collectors.groupingBy(Task::type, TreeMap::new, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(type -> type.getValue() + " of type " + type.getKey())
                        .collect(Collectors.joining(", "));
    }

    /** Oldest first. */
    private static List<Task> all(Sweep sweep) {
        List<Task> tasks = new ArrayList<>();
        Optional<TaskId> before = Optional.empty();
        List<Task> page;
        do {
            TaskQuery newest = TaskQuery.newest().limit(PAGE);
            page = sweep.list(before.map(newest::before).orElse(newest));
            tasks.addAll(page);
            before = page.isEmpty()
                    ? before
                    : Optional.of(page.get(page.size() - 1).id());
        } while (page.size() == PAGE);
        Collections.reverse(tasks);
        return tasks;
    }
}
