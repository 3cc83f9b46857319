package dev.sweep;

/** The dedup key is taken and the task asked to fail then; nothing of the call was written. Reaction: use the owner. */
public final class DuplicateTaskException extends SweepException {

    private static final long serialVersionUID = 1L;

    private final String dedupKey;
    private final long ownerId;

    public DuplicateTaskException(String dedupKey, TaskId owner) {
        super("dedup key '" + dedupKey + "' is taken by task " + owner
                + "; nothing was enqueued; use that task, another key, or OnDuplicate.KEEP_EXISTING");
        this.dedupKey = dedupKey;
        this.ownerId = owner.value();
    }

    public String dedupKey() {
        return dedupKey;
    }

    /** The task that owns the key. */
    public TaskId owner() {
        return TaskId.of(ownerId);
    }
}
