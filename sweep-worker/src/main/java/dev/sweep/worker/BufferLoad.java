package dev.sweep.worker;

import java.util.Map;
import java.util.Set;

/**
 * What all queues have to do in this process.
 *
 * @param lanes by queue
 * @param bytes the size of the payloads that wait
 * @param averageBytes of recent payloads, at least 1
 * @param holdsLost whether a task that was lost before is here, or its outcome is not durable
 * @param reachedTypes the types of which no more need come
 */
record BufferLoad(
        Map<String, LaneLoad> lanes, long bytes, long averageBytes, boolean holdsLost, Set<String> reachedTypes) {

    int idle() {
        return lanes.values().stream().mapToInt(LaneLoad::idle).sum();
    }

    int buffered() {
        return lanes.values().stream().mapToInt(LaneLoad::buffered).sum();
    }

    int running() {
        return lanes.values().stream().mapToInt(LaneLoad::running).sum();
    }
}
