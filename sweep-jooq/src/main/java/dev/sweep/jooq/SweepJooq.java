package dev.sweep.jooq;

import dev.sweep.Enqueued;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import java.util.Collection;
import java.util.List;
import org.jooq.Configuration;
import org.jooq.DSLContext;

/**
 * Enqueues in the transaction of a jOOQ {@link DSLContext} or {@link Configuration}, such as the one that
 * {@code dsl.transaction(tx -> ...)} passes: the tasks exist if and only if it commits.
 */
public final class SweepJooq {

    private SweepJooq() {}

    public static Enqueued enqueue(Sweep sweep, DSLContext tx, NewTask<?> task) {
        return tx.connectionResult(connection -> sweep.enqueue(connection, task));
    }

    public static Enqueued enqueue(Sweep sweep, Configuration tx, NewTask<?> task) {
        return enqueue(sweep, tx.dsl(), task);
    }

    public static List<Enqueued> enqueueAll(Sweep sweep, DSLContext tx, Collection<? extends NewTask<?>> tasks) {
        return tx.connectionResult(connection -> sweep.enqueueAll(connection, tasks));
    }

    public static List<Enqueued> enqueueAll(Sweep sweep, Configuration tx, Collection<? extends NewTask<?>> tasks) {
        return enqueueAll(sweep, tx.dsl(), tasks);
    }
}
