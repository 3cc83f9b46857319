package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.TaskBatch;
import dev.sweep.TaskContext;
import java.util.Objects;

/** One task of a batch with what its handler says of it. Used by the handler's thread. */
final class BatchItem<P> implements TaskBatch.Item<P> {

    private final HeldAttempt held;
    private final P payload;
    private final TaskContext context;
    private Outcome outcome = Outcome.complete();

    BatchItem(HeldAttempt held, P payload) {
        this.held = held;
        this.payload = payload;
        this.context = new AttemptContext(held.task());
    }

    /** The same task, of which nothing has been said yet. */
    BatchItem<P> afresh() {
        return new BatchItem<>(held, payload);
    }

    @Override
    public P payload() {
        return payload;
    }

    @Override
    public TaskContext context() {
        return context;
    }

    @Override
    public void end(Outcome said) {
        outcome = Objects.requireNonNull(
                said, "the outcome of a batch item is null; pass one, such as" + " Outcome.complete()");
    }

    HeldAttempt held() {
        return held;
    }

    Outcome outcome() {
        return outcome;
    }
}
