package dev.sweep.worker;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The queues in which tasks are said to wait, and when to look: after a random delay, so that processes which all heard the
 * same don't all ask at the same moment. Who finds nothing, because others were quicker, is more patient the next time, up
 * to 200 ms; who finds something is quicker again. So of many idle processes a few serve a steady trickle, and one that
 * is alone is always quick.
 *
 * <p>Any thread adds; the rest is for the claimer's thread.
 */
final class ClaimHints {

    private static final long SHORTEST_BOUND = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_BOUND = Duration.ofMillis(200).toNanos();
    private static final long SAME_DUE_TIME = Duration.ofMillis(50).toNanos();

    private final Set<String> queues = ConcurrentHashMap.newKeySet();
    private long bound = SHORTEST_BOUND;
    private boolean isTimed;
    private long dueAtNanos;
    private boolean isTaken;
    private boolean knowsNextTask;
    private long nextTaskAtNanos;

    void add(String queue) {
        queues.add(queue);
    }

    boolean areDue(long nowNanos) {
        if (!isTimed && !queues.isEmpty()) {
            isTimed = true;
            dueAtNanos = nowNanos + delay();
        }
        return isTimed && nowNanos - dueAtNanos >= 0;
    }

    private long delay() {
        long atLeast = bound == SHORTEST_BOUND ? 0 : bound / 2;
        return ThreadLocalRandom.current().nextLong(atLeast, bound);
    }

    /** At most this long may a turn wait. */
    long nanosLeft(long nowNanos) {
        return isTimed ? Math.max(0, dueAtNanos - nowNanos) : Long.MAX_VALUE;
    }

    /** A claim is about to look: what was hinted until now it will find. */
    Set<String> take() {
        Set<String> taken = new HashSet<>(queues);
        queues.removeAll(taken);
        isTimed = false;
        isTaken = isTaken || !taken.isEmpty();
        return taken;
    }

    /** The claim is answered; a task that is due sooner than any known before is an answer, too. */
    void answered(boolean hasTasks, Optional<Duration> nextDueIn, long nowNanos) {
        boolean isNews =
                nextDueIn.filter(due -> isSooner(nowNanos + due.toNanos())).isPresent();
        nextDueIn.ifPresent(due -> {
            knowsNextTask = true;
            nextTaskAtNanos = nowNanos + due.toNanos();
        });
        if (hasTasks) {
            bound = Math.max(SHORTEST_BOUND, bound / 4);
            knowsNextTask = false;
        } else if (isTaken && !isNews) {
            bound = Math.min(LONGEST_BOUND, 2 * bound);
        }
        isTaken = false;
    }

    private boolean isSooner(long taskAtNanos) {
        return !knowsNextTask || nextTaskAtNanos - taskAtNanos > SAME_DUE_TIME;
    }
}
