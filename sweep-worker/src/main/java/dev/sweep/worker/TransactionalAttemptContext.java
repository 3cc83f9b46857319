package dev.sweep.worker;

import dev.sweep.Enqueued;
import dev.sweep.NewTask;
import dev.sweep.TransactionContext;
import dev.sweep.spi.ClaimedTask;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;

/** What a transactional handler sees: its attempt, and the transaction that will complete it. */
final class TransactionalAttemptContext extends AttemptContext implements TransactionContext {

    private final OpenTransaction transaction;

    TransactionalAttemptContext(ClaimedTask task, OpenTransaction transaction) {
        super(task);
        this.transaction = transaction;
    }

    @Override
    public Connection connection() {
        return transaction.connection();
    }

    @Override
    public Enqueued enqueue(NewTask<?> task) {
        return transaction.enqueue(task);
    }

    @Override
    public List<Enqueued> enqueueAll(Collection<? extends NewTask<?>> tasks) {
        return transaction.enqueueAll(tasks);
    }
}
