package dev.sweep.testing;

import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.TaskRecord;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A task as the {@link StoreModel} sees it: what was asked, and where it stands. */
final class ModelTask {

    static final Comparator<ModelTask> CLAIM_ORDER = Comparator.<ModelTask>comparingInt(task -> -task.asked.priority())
            .thenComparing(task -> task.dueAt)
            .thenComparing(task -> task.id);

    static final Comparator<ModelTask> RECLAIM_ORDER = Comparator.<ModelTask>comparingLong(
                    task -> task.attempt == null ? 0 : task.attempt.lease())
            .thenComparing(task -> task.id);

    final TaskId id;
    final TaskRecord asked;
    TaskStatus status = TaskStatus.PENDING;
    Instant dueAt;
    int retries;
    int losses;

    @Nullable
    String result;
    /** The attempt under way; null: none. */
    @Nullable
    Attempt attempt;

    ModelTask(TaskId id, TaskRecord asked, Instant dueAt) {
        this.id = id;
        this.asked = asked;
        this.dueAt = dueAt;
    }

    void run(Attempt newAttempt) {
        status = TaskStatus.PROCESSING;
        attempt = newAttempt;
    }

    void await(Instant due) {
        status = TaskStatus.PENDING;
        attempt = null;
        dueAt = due;
    }

    void end(TaskStatus finalStatus) {
        status = finalStatus;
        attempt = null;
    }

    boolean isWaiting() {
        return status == TaskStatus.PENDING;
    }

    boolean isRunning() {
        return attempt != null;
    }

    @Override
    public String toString() {
        return "[" + id + " " + status + ", retries " + retries + ", losses " + losses + ", result " + result + "]";
    }
}
