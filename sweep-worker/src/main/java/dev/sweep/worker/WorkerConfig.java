package dev.sweep.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of a worker, checked; what each means is said at {@link WorkerBuilder}.
 *
 * @param slots how many attempts of each queue run at once, in the order the queues were named
 * @param longestWokenPoll the longest poll interval while wake-ups arrive
 */
record WorkerConfig(
        String name,
        Map<String, Integer> slots,
        Duration leaseDuration,
        Duration heartbeat,
        Duration reclaimInterval,
        Duration shortestPoll,
        Duration longestPoll,
        Duration longestWokenPoll,
        int smallestBatch,
        int largestBatch,
        double fairShare,
        int bufferLimit,
        long bufferBytes,
        Duration stopTimeout,
        boolean closesOnShutdown) {

    WorkerConfig {
        slots = Collections.unmodifiableMap(new LinkedHashMap<>(slots));
    }
}
