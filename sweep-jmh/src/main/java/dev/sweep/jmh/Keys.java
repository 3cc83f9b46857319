package dev.sweep.jmh;

/** Which dedup keys tasks are enqueued with. */
public enum Keys {
    NONE,
    /** Each has one that nobody has had. */
    NEW,
    /** Every second one has one that is taken already. */
    HALF_TAKEN
}
