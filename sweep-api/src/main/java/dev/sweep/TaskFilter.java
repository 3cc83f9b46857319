package dev.sweep;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks to change together: those that have one of these statuses and match all else that is said. Immutable.
 * Pending, processing, failed and cancelled tasks are found fast at any history.
 */
public final class TaskFilter {

    private final Set<TaskStatus> statuses;
    private final @Nullable String type;
    private final @Nullable String queue;
    private final @Nullable Instant createdFrom;
    private final @Nullable Instant createdBefore;
    private final @Nullable TaskId upTo;

    private TaskFilter(
            Set<TaskStatus> statuses,
            @Nullable String type,
            @Nullable String queue,
            @Nullable Instant createdFrom,
            @Nullable Instant createdBefore,
            @Nullable TaskId upTo) {
        this.statuses = statuses;
        this.type = type;
        this.queue = queue;
        this.createdFrom = createdFrom;
        this.createdBefore = createdBefore;
        this.upTo = upTo;
    }

    /** All tasks that have one of these statuses. */
    public static TaskFilter status(TaskStatus first, TaskStatus... more) {
        return new TaskFilter(Set.copyOf(EnumSet.of(first, more)), null, null, null, null, null);
    }

    public TaskFilter type(String type) {
        String named = Bounds.text("task type", type, Bounds.MAX_NAME_BYTES);
        return new TaskFilter(statuses, named, queue, createdFrom, createdBefore, upTo);
    }

    public TaskFilter queue(String queue) {
        String named = Bounds.text("queue", queue, Bounds.MAX_NAME_BYTES);
        return new TaskFilter(statuses, type, named, createdFrom, createdBefore, upTo);
    }

    /** Only tasks created at this instant or later. */
    public TaskFilter createdFrom(Instant instant) {
        return new TaskFilter(statuses, type, queue, Bounds.instant("created from", instant), createdBefore, upTo);
    }

    /** Only tasks created before this instant. */
    public TaskFilter createdBefore(Instant instant) {
        return new TaskFilter(statuses, type, queue, createdFrom, Bounds.instant("created before", instant), upTo);
    }

    /** Only this task and older ones: the cut-off of an earlier selection. */
    public TaskFilter upTo(TaskId id) {
        return new TaskFilter(statuses, type, queue, createdFrom, createdBefore, Bounds.given("task id", id));
    }

    public Set<TaskStatus> statuses() {
        return statuses;
    }

    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    public Optional<String> queue() {
        return Optional.ofNullable(queue);
    }

    public Optional<Instant> createdFrom() {
        return Optional.ofNullable(createdFrom);
    }

    public Optional<Instant> createdBefore() {
        return Optional.ofNullable(createdBefore);
    }

    public Optional<TaskId> upTo() {
        return Optional.ofNullable(upTo);
    }
}
