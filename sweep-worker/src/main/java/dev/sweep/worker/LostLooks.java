package dev.sweep.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * When a queue is due for a look at its tasks that were lost before. Such a task needs an idle slot at once, so a queue
 * that is always busy is let run dry for a look once a second, and for each look after one that found something.
 */
final class LostLooks {

    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final Map<String, Long> lastLooks = new HashMap<>();
    private boolean hasFound = true;

    boolean isDue(String queue, long nowNanos) {
        Long last = lastLooks.get(queue);
        return hasFound || last == null || nowNanos - last > INTERVAL_NANOS;
    }

    void looked(Set<String> queues, boolean found, long nowNanos) {
        hasFound = found;
        queues.forEach(queue -> lastLooks.put(queue, nowNanos));
    }
}
