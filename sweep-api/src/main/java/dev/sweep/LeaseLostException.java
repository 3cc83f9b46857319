package dev.sweep;

/**
 * This attempt no longer holds its task: it was cancelled, or reclaimed after the lease lapsed. Its outcome is discarded.
 * Reaction: stop the attempt; if the lease lapsed, raise the lease duration or beat sooner.
 */
public final class LeaseLostException extends SweepException {

    private static final long serialVersionUID = 1L;

    private final long taskId;

    public LeaseLostException(TaskId id, String type, String queue, int attempt) {
        super(
                "lease lost for task " + id + " (type " + type + ", queue " + queue + ", attempt " + attempt
                        + "); its outcome was discarded; if the task was not cancelled, raise leaseDuration or heartbeat sooner");
        this.taskId = id.value();
    }

    public TaskId taskId() {
        return TaskId.of(taskId);
    }
}
