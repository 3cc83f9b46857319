package dev.sweep;

/** What an enqueue does when its dedup key is taken. */
public enum OnDuplicate {
    /** Answer with the id of the task that owns the key; nothing is written. */
    KEEP_EXISTING,
    /** Throw a {@link DuplicateTaskException}; nothing of the whole call is written. */
    FAIL
}
