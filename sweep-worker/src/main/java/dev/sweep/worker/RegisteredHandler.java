package dev.sweep.worker;

import dev.sweep.BatchTaskHandler;
import dev.sweep.Outcome;
import dev.sweep.OutcomeHandler;
import dev.sweep.TaskType;
import dev.sweep.TransactionalBatchHandler;
import dev.sweep.TransactionalOutcomeHandler;
import java.util.List;

/** A handler with the type it was registered for. */
sealed interface RegisteredHandler<P> {

    TaskType<P> type();

    /** How many tasks it takes at once. */
    default int batchSize() {
        return 1;
    }

    /** Whether each item has the outcome that the handler gave it; else what the handler returned is that of the one item. */
    default boolean endsItemByItem() {
        return false;
    }

    /** One that runs outside of Sweep's transactions. */
    sealed interface Plain<P> extends RegisteredHandler<P> {

        /** Runs it; the outcome counts if it takes one task at a time, else each item has its own. */
        Outcome call(List<ShareItem<P>> items) throws Exception;
    }

    /** One that runs in the transaction that completes its tasks. */
    sealed interface Transactional<P> extends RegisteredHandler<P> {

        /** Like {@link Plain#call}. */
        Outcome call(List<ShareItem<P>> items, OpenTransaction transaction) throws Exception;
    }

    record Single<P>(TaskType<P> type, OutcomeHandler<P> handler) implements Plain<P> {
        @Override
        public Outcome call(List<ShareItem<P>> items) throws Exception {
            ShareItem<P> item = items.get(0);
            return handler.handle(item.payload(), item.context());
        }
    }

    record Batch<P>(TaskType<P> type, int batchSize, BatchTaskHandler<P> handler) implements Plain<P> {
        @Override
        public boolean endsItemByItem() {
            return true;
        }

        @Override
        public Outcome call(List<ShareItem<P>> items) throws Exception {
            handler.handle(new PlainBatch<>(List.copyOf(items)));
            return Outcome.complete();
        }
    }

    record TransactionalSingle<P>(TaskType<P> type, TransactionalOutcomeHandler<P> handler)
            implements Transactional<P> {
        @Override
        public Outcome call(List<ShareItem<P>> items, OpenTransaction transaction) throws Exception {
            ShareItem<P> item = items.get(0);
            return handler.handle(
                    item.payload(), new TransactionalAttemptContext(item.held().task(), transaction));
        }
    }

    record TransactionalBatch<P>(TaskType<P> type, int batchSize, TransactionalBatchHandler<P> handler)
            implements Transactional<P> {
        @Override
        public boolean endsItemByItem() {
            return true;
        }

        @Override
        public Outcome call(List<ShareItem<P>> items, OpenTransaction transaction) throws Exception {
            handler.handle(new BatchInTransaction<>(List.copyOf(items), transaction));
            return Outcome.complete();
        }
    }
}
