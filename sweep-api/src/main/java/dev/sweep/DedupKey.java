package dev.sweep;

import java.time.Duration;

/**
 * A name under which a task exists at most once: two enqueues with the same key are one task. Keys are compared as bytes
 * and are shared by all types and queues of a schema, so begin them with what they are about, such as
 * {@code welcome:42}.
 *
 * @param value 1 to 1,024 bytes of UTF-8, without NUL
 * @param scope how long the key protects its task
 */
public record DedupKey(String value, DedupScope scope) {

    public DedupKey {
        Bounds.text("dedup key", value, Bounds.MAX_DEDUP_KEY_BYTES);
        Bounds.given("dedup scope", scope);
    }

    /** A key that is taken for as long as its task's row exists. */
    public static DedupKey of(String value) {
        return new DedupKey(value, new DedupScope.UntilRetention());
    }

    /** The same key, free again as soon as its task has an outcome. */
    public DedupKey untilFinished() {
        return new DedupKey(value, new DedupScope.UntilFinished());
    }

    /** The same key, free again when {@code length} has passed since the enqueue. */
    public DedupKey window(Duration length) {
        return new DedupKey(value, new DedupScope.Window(length));
    }
}
