package dev.sweep.worker;

import dev.sweep.Enqueued;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import dev.sweep.TransactionContext;
import dev.sweep.spi.ClaimedTask;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What a transactional handler sees: its attempt, and the transaction that will complete it. */
final class TransactionalAttemptContext extends AttemptContext implements TransactionContext {

    private final Sweep sweep;
    private final Connection connection;
    private final Set<String> queues;

    /** @param queues becomes those in which tasks were enqueued, to be told once the transaction has committed */
    TransactionalAttemptContext(ClaimedTask task, Sweep sweep, Connection connection, Set<String> queues) {
        super(task);
        this.sweep = sweep;
        this.connection = connection;
        this.queues = queues;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Enqueued enqueue(NewTask<?> task) {
        queues.add(task.queue());
        return sweep.enqueue(connection, task);
    }

    @Override
    public List<Enqueued> enqueueAll(Collection<? extends NewTask<?>> tasks) {
        tasks.forEach(task -> queues.add(task.queue()));
        return sweep.enqueueAll(connection, tasks);
    }
}
