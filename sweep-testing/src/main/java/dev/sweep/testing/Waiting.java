package dev.sweep.testing;

import dev.sweep.TaskId;
import java.time.Instant;
import java.util.Comparator;

/**
 * The place of a waiting task; its natural order is the order of claims.
 *
 * @param rank 10 - priority: 0 comes first
 */
record Waiting(int rank, Instant dueAt, TaskId id) implements Comparable<Waiting> {

    private static final Comparator<Waiting> CLAIM_ORDER =
            Comparator.comparingInt(Waiting::rank).thenComparing(Waiting::dueAt).thenComparing(Waiting::id);

    @Override
    public int compareTo(Waiting other) {
        return CLAIM_ORDER.compare(this, other);
    }
}
