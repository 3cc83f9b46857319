package dev.sweep.worker;

import java.util.Map;

/**
 * What the next claim may bring.
 *
 * @param room by queue; queues without room are left out
 * @param lostRoom 1 if a task that was lost before may come on top
 * @param looksEverywhere whether a claim that comes back empty says that nothing is due in any queue
 */
record ClaimPlan(Map<String, Integer> room, int lostRoom, boolean looksEverywhere) {

    ClaimPlan {
        room = Map.copyOf(room);
    }

    boolean isEmpty() {
        return room.isEmpty();
    }

    int total() {
        return room.values().stream().mapToInt(Integer::intValue).sum();
    }
}
