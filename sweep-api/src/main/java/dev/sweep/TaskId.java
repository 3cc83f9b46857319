package dev.sweep;

/**
 * Identifies one task for ever: a time-ordered 53-bit number, exact also as a JSON number.
 *
 * @param value a positive number; the second of the task's creation is embedded in it
 */
public record TaskId(long value) implements Comparable<TaskId> {

    public TaskId {
        if (value <= 0) {
            throw new InvalidTaskException("task id " + value + " is not positive; use the id that enqueue returned");
        }
    }

    public static TaskId of(long value) {
        return new TaskId(value);
    }

    @Override
    public int compareTo(TaskId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
