package dev.sweep;

import java.sql.Connection;
import java.util.Collection;
import java.util.List;

/** The transaction in which a handler runs and its tasks are completed: all of it is committed, or nothing. */
public interface HandlerTransaction {

    /**
     * The transaction's connection, at READ COMMITTED. It refuses commit, rollback and close, since Sweep commits after the
     * handler has returned, and all setters, since they would stay for the next user of the connection; use {@code set
     * local}. It can be unwrapped to {@code org.postgresql.PGConnection} for COPY. Valid only on the handler's thread,
     * until the handler returns.
     */
    Connection connection();

    /** Enqueues one more task in this transaction: it exists if and only if the transaction is committed. */
    Enqueued enqueue(NewTask<?> task);

    /** Enqueues tasks in this transaction, set-based: they exist if and only if the transaction is committed. */
    List<Enqueued> enqueueAll(Collection<? extends NewTask<?>> tasks);
}
