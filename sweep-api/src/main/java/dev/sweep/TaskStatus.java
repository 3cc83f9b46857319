package dev.sweep;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where a task stands, in the words of the SQL interface. */
public enum TaskStatus {
    /** Waits to be claimed: due now, due later, or due again after a failed attempt. */
    PENDING(false),
    /** An attempt is under way. */
    PROCESSING(false),
    /** Ended well; final. */
    SUCCEEDED(true),
    /** No machine will retry it; final unless a person requeues it. */
    FAILED(true),
    /** Withdrawn before it ended; final. */
    CANCELLED(true);

    private final boolean isFinal;

    TaskStatus(boolean isFinal) {
        this.isFinal = isFinal;
    }

    /** Whether a task with this status never runs again. */
    public boolean isFinal() {
        return isFinal;
    }

    /** The status as SQL, JSON and the command line write it, such as {@code succeeded}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status that {@code word} names; an unknown word is an {@link InvalidTaskException}. */
    public static TaskStatus ofWord(String word) {
        for (TaskStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        String known = Arrays.stream(values()).map(TaskStatus::word).collect(Collectors.joining(", "));
        throw new InvalidTaskException("status '" + word + "' is unknown; use one of " + known);
    }
}
