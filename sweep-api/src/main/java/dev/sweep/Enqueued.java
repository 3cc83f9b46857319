package dev.sweep;

/**
 * The answer to one enqueue.
 *
 * @param id the task that now stands for the request: the new one, or the one that already owned the dedup key
 * @param isNew false if the dedup key was taken and nothing was written
 */
public record Enqueued(TaskId id, boolean isNew) {}
