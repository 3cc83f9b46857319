package dev.sweep.worker;

import java.util.Map;
import java.util.Set;

/**
 * What the next claim may bring.
 *
 * @param types those to claim: without the ones of which there are enough here
 * @param room by queue; queues without room are left out
 * @param lostRoom 1 if a task that was lost before may come on top
 * @param looksEverywhere whether a claim that comes back empty says that nothing is due in any queue
 */
record ClaimPlan(Set<String> types, Map<String, Integer> room, int lostRoom, boolean looksEverywhere) {

    ClaimPlan {
        types = Set.copyOf(types);
        room = Map.copyOf(room);
    }

    boolean isEmpty() {
        return room.isEmpty() || types.isEmpty();
    }

    int total() {
        return room.values().stream().mapToInt(Integer::intValue).sum();
    }
}
