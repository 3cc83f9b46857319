package dev.sweep.jmh;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Waiting tasks in steady number: what claims take is put back, in lumps, so that there are never fewer than 95 % and never
 * more than there were. Thread-safe.
 */
final class Backlog {

    static final String WORKER = "bench";
    static final Duration LEASE = Duration.ofMinutes(10);
    private static final int LUMPS = 20;

    private final Seed seed;
    private final long lump;
    private long owed;

    Backlog(Seed seed, long size) {
        this.seed = seed;
        this.lump = Math.max(1, size / LUMPS);
        seed.waiting(size);
        seed.settle();
    }

    /** Claims up to so many, as the engine does. */
    static List<ClaimedTask> claim(JooqTaskStore store, int room, Duration lease) {
        return store.claim(new ClaimRequest(WORKER, Set.of(Seed.TYPE), Map.of(Seed.QUEUE, room), 0, lease, false))
                .tasks();
    }

    static List<Completion> completionsOf(List<ClaimedTask> tasks) {
        return tasks.stream()
                .map(task -> new Completion(task.attempt(), Duration.ofMillis(1)))
                .toList();
    }

    /** So many were taken. */
    synchronized void owe(int tasks) {
        owed += tasks;
    }

    /** Puts back what is owed, if it is worth it. */
    synchronized void refill() {
        if (owed >= lump) {
            seed.waiting(owed);
            owed = 0;
        }
    }
}
