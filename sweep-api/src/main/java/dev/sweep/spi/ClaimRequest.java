package dev.sweep.spi;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * SPI: what a worker asks of one claim.
 *
 * @param worker the name of the process, unique per start
 * @param types the types it has handlers for; no others are claimed
 * @param room how many tasks each queue may bring, at least 1 each
 * @param lostRoom how many tasks with losses may come on top, from any of the queues; others come without losses only
 * @param leaseDuration how long the claim holds without a heartbeat
 * @param afresh true: forget every hint about where live entries begin
 */
public record ClaimRequest(
        String worker,
        Set<String> types,
        Map<String, Integer> room,
        int lostRoom,
        Duration leaseDuration,
        boolean afresh) {

    public ClaimRequest {
        types = Set.copyOf(types);
        room = Map.copyOf(room);
    }
}
