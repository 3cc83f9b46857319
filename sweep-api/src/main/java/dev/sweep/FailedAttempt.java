package dev.sweep;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt, as a {@link RetryPolicy} sees it.
 *
 * @param type the task's type as it was stored
 * @param failures how often the task has failed, this failure included; at least 1
 * @param maxRetries how many retries the task may have
 * @param cause what the handler threw, or what stands for the failure that it reported
 */
public record FailedAttempt(TaskId id, String type, int failures, int maxRetries, Throwable cause) {

    private static final int MAX_CAUSES = 50;

    /** Whether the cause, or one of its own causes, is an instance of one of these classes. */
    public boolean isCausedBy(List<Class<? extends Throwable>> throwables) {
        @Nullable Throwable next = cause;
        for (int depth = 0; next != null && depth < MAX_CAUSES; depth++) {
            Throwable link = next;
            if (throwables.stream().anyMatch(each -> each.isInstance(link))) {
                return true;
            }
            next = link.getCause();
        }
        return false;
    }
}
