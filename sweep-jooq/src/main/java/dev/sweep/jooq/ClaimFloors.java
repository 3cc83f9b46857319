package dev.sweep.jooq;

import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Where live entries begin, per queue and rank: a hint of this process that lets a claim step over what is dead but
 * can't be removed yet (entries deleted since the oldest snapshot, which a forgotten transaction can pin for hours) and
 * over entries of types that nobody here runs. It has no duty for correctness: a full look, from the beginning of time,
 * follows at the latest after {@code max(250 ms, 20 x its duration)} and finds what committed late or carries an old due
 * time. Engages only while a full look is slow: even without a snapshot that pins them, a busy minute leaves more dead
 * entries than live ones are claimed. What is known is known of the types that were asked for: a worker leaves
 * out those of which it runs enough, now some and now others.
 *
 * <p>Not thread-safe: claims are made one at a time.
 */
final class ClaimFloors {

    /** Twice in a row: a single look is slow on a new session, or on a machine that is busy with something else. */
    private static final Duration SLOW = Duration.ofMillis(2);
    /** The same, of a look that finds many. */
    private static final Duration SLOW_PER_TASK = Duration.ofNanos(5_000);
    /** Once is enough. */
    private static final Duration VERY_SLOW = Duration.ofMillis(20);

    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(250);
    private static final int PERIOD_FACTOR = 20;
    /** Entries that commit within this time after a claim looked are still found. */
    private static final Duration SLACK = Duration.ofMillis(250);

    private static final Instant BEGINNING = Instant.EPOCH;
    private static final int MAX_TYPE_SETS = 16;

    private final LongSupplier nanoTime;
    private final Map<Set<String>, Known> knownOfTypes = new LinkedHashMap<>();
    private Known known = new Known();

    /** @param nanoTime the monotonic clock */
    ClaimFloors(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * One claim's view.
     *
     * @param floors ten per queue, by rank
     * @param full whether it begins at the beginning
     */
    record Look(List<String> queues, List<Instant> floors, boolean full) {}

    /** The floors to claim from now. */
    Look look(ClaimRequest request, List<String> queues) {
        if (request.afresh() || knownOfTypes.size() > MAX_TYPE_SETS) {
            forget();
        }
        known = knownOfTypes.computeIfAbsent(request.types(), types -> new Known());
        if (!known.floorsOfQueue.keySet().containsAll(queues)) {
            known.forget();
        }
        boolean full = !known.engaged || queues.stream().anyMatch(this::isDueInFull);
        List<Instant> floors = queues.stream()
                .flatMap(queue -> Arrays.stream(full ? beginnings() : floorsOf(queue)))
                .toList();
        queues.forEach(this::floorsOf);
        return new Look(queues, floors, full);
    }

    /**
     * Moves the floors of every rank that the claim has probed.
     *
     * @param took how long it took to find the entries
     */
    void learn(Look look, ClaimRequest request, List<ClaimedTask> claimed, Instant askedAt, Duration took) {
        if (look.full()) {
            boolean isSlow = isSlow(took, claimed.size());
            known.engaged = isSlow && (known.wasSlow || took.compareTo(VERY_SLOW) > 0);
            known.wasSlow = isSlow;
            Duration scaled = took.multipliedBy(PERIOD_FACTOR);
            Duration period = scaled.compareTo(SHORTEST_PERIOD) > 0 ? scaled : SHORTEST_PERIOD;
            look.queues().forEach(queue -> known.nextFullLooks.put(queue, nanoTime.getAsLong() + period.toNanos()));
        }
        for (String queue : look.queues()) {
            List<ClaimedTask> ofQueue = claimed.stream()
                    .filter(task -> task.losses() == 0 && task.queue().equals(queue))
                    .toList();
            boolean drained = ofQueue.size() < request.room().getOrDefault(queue, 0);
            move(floorsOf(queue), ofQueue, drained, askedAt);
        }
    }

    private static boolean isSlow(Duration took, int found) {
        return took.compareTo(SLOW) > 0 && took.compareTo(SLOW_PER_TASK.multipliedBy(found)) > 0;
    }

    /** Ranks before the last one that gave were searched to their end; that one was, up to its last entry. */
    private static void move(Instant[] floors, List<ClaimedTask> claimed, boolean drained, Instant askedAt) {
        int lastRank = claimed.stream().mapToInt(ClaimFloors::rank).max().orElse(0);
        for (int rank = 0; rank < floors.length; rank++) {
            if (drained || rank < lastRank) {
                floors[rank] = askedAt.minus(SLACK);
            } else if (rank == lastRank) {
                Instant lastDue = claimed.stream()
                        .filter(task -> rank(task) == lastRank)
                        .map(ClaimedTask::dueAt)
                        .max(Instant::compareTo)
                        .orElse(BEGINNING);
                floors[rank] = lastDue.minus(SLACK);
            }
        }
    }

    /** The next look begins at the beginning. */
    void forget() {
        knownOfTypes.clear();
        known = new Known();
    }

    private boolean isDueInFull(String queue) {
        Long at = known.nextFullLooks.get(queue);
        return at == null || nanoTime.getAsLong() - at > 0;
    }

    private Instant[] floorsOf(String queue) {
        return known.floorsOfQueue.computeIfAbsent(queue, name -> beginnings());
    }

    private static Instant[] beginnings() {
        Instant[] floors = new Instant[Claims.MAX_PRIORITY];
        Arrays.fill(floors, BEGINNING);
        return floors;
    }

    private static int rank(ClaimedTask task) {
        return Claims.MAX_PRIORITY - task.priority();
    }

    /** What is known of one set of types. */
    private static final class Known {
        private final Map<String, Instant[]> floorsOfQueue = new HashMap<>();
        /** When a queue must be looked at from its beginning again. */
        private final Map<String, Long> nextFullLooks = new HashMap<>();

        private boolean engaged;
        /** The last full look. */
        private boolean wasSlow;

        private void forget() {
            floorsOfQueue.clear();
            nextFullLooks.clear();
            engaged = false;
        }
    }
}
