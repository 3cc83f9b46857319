package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.TaskBatch;
import dev.sweep.TaskContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One task of those that run together, with what its handler says of it. Used by the handler's thread. */
final class ShareItem<P> implements TaskBatch.Item<P> {

    private final HeldAttempt held;
    private final P payload;
    private final TaskContext context;
    private @Nullable Outcome outcome = Outcome.complete();

    ShareItem(HeldAttempt held, P payload) {
        this.held = held;
        this.payload = payload;
        this.context = new AttemptContext(held.task());
    }

    /** The same task, of which nothing has been said yet. */
    ShareItem<P> afresh() {
        return new ShareItem<>(held, payload);
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
                said, "the outcome of a batch item is null; pass one, such as Outcome.complete()");
    }

    /** What a handler of single tasks returned, which may be null although it must not. */
    void ended(@Nullable Outcome returned) {
        outcome = returned;
    }

    boolean isComplete() {
        return outcome instanceof Outcome.Complete;
    }

    HeldAttempt held() {
        return held;
    }

    @Nullable
    Outcome outcome() {
        return outcome;
    }
}
