package dev.sweep.worker;

import java.util.Map;

/**
 * What all queues have to do in this process.
 *
 * @param lanes by queue
 * @param bytes the size of the payloads that wait
 * @param averageBytes of recent payloads, at least 1
 * @param holdsLost whether a task that was lost before is here
 */
record BufferLoad(Map<String, LaneLoad> lanes, long bytes, long averageBytes, boolean holdsLost) {

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
