package dev.sweep.worker;

import dev.sweep.Enqueued;
import dev.sweep.NewTask;
import dev.sweep.TaskBatch;
import dev.sweep.TransactionBatch;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;

/** What a transactional batch handler sees. */
record BatchInTransaction<P>(List<TaskBatch.Item<P>> items, OpenTransaction transaction)
        implements TransactionBatch<P> {

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
