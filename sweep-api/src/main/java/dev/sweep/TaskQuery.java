package dev.sweep;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which tasks to list: newest first, with a limit. Immutable. */
public final class TaskQuery {

    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 10_000;

    private final @Nullable TaskStatus status;
    private final @Nullable String type;
    private final @Nullable String queue;
    private final @Nullable TaskId before;
    private final int limit;

    private TaskQuery(
            @Nullable TaskStatus status,
            @Nullable String type,
            @Nullable String queue,
            @Nullable TaskId before,
            int limit) {
        this.status = status;
        this.type = type;
        this.queue = queue;
        this.before = before;
        this.limit = limit;
    }

    /** The newest 50 tasks. */
    public static TaskQuery newest() {
        return new TaskQuery(null, null, null, null, DEFAULT_LIMIT);
    }

    public TaskQuery status(TaskStatus status) {
        return new TaskQuery(status, type, queue, before, limit);
    }

    public TaskQuery type(String type) {
        return new TaskQuery(status, Bounds.text("task type", type, Bounds.MAX_NAME_BYTES), queue, before, limit);
    }

    public TaskQuery queue(String queue) {
        return new TaskQuery(status, type, Bounds.text("queue", queue, Bounds.MAX_NAME_BYTES), before, limit);
    }

    /** Only tasks older than this one: the next page after a list that ended with it. */
    public TaskQuery before(TaskId id) {
        return new TaskQuery(status, type, queue, id, limit);
    }

    /** At most this many, 1 to 10,000. */
    public TaskQuery limit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidTaskException("limit " + limit + " is out of range; use 1 to " + MAX_LIMIT
                    + ", and before(id) for the next page");
        }
        return new TaskQuery(status, type, queue, before, limit);
    }

    public Optional<TaskStatus> status() {
        return Optional.ofNullable(status);
    }

    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    public Optional<String> queue() {
        return Optional.ofNullable(queue);
    }

    public Optional<TaskId> before() {
        return Optional.ofNullable(before);
    }

    public int limit() {
        return limit;
    }
}
