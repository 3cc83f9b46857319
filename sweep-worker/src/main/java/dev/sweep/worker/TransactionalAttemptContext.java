package dev.sweep.worker;

import dev.sweep.Enqueued;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import dev.sweep.TransactionContext;
import dev.sweep.spi.ClaimedTask;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;

/** What a transactional handler sees: its attempt, and the transaction that will complete it. */
final class TransactionalAttemptContext extends AttemptContext implements TransactionContext {

    private final Sweep sweep;
    private final Connection connection;

    TransactionalAttemptContext(ClaimedTask task, Sweep sweep, Connection connection) {
        super(task);
        this.sweep = sweep;
        this.connection = connection;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Enqueued enqueue(NewTask<?> task) {
        return sweep.enqueue(connection, task);
    }

    @Override
    public List<Enqueued> enqueueAll(Collection<? extends NewTask<?>> tasks) {
        return sweep.enqueueAll(connection, tasks);
    }
}
