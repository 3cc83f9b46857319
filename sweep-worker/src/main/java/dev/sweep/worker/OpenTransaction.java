package dev.sweep.worker;

import dev.sweep.Enqueued;
import dev.sweep.HandlerTransaction;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The transaction of a handler while it runs. Used by the handler's thread. */
final class OpenTransaction implements HandlerTransaction {

    private final Sweep sweep;
    private final Connection connection;
    private final Set<String> queues = new HashSet<>();

    OpenTransaction(Sweep sweep, Connection connection) {
        this.sweep = sweep;
        this.connection = connection;
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

    /** To be told once all is committed. */
    void announce() {
        queues.forEach(queue -> sweep.announce(queue));
    }
}
