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
 * @param leaseDuration how long the claim holds without a heartbeat; a day at most
 * @param afresh true: forget every hint about where live entries begin
 * @param evenly true: every priority may bring a tenth of the room, rounded up, and any of them may come first; else the
 *     highest first
 */
public record ClaimRequest(
        String worker,
        Set<String> types,
        Map<String, Integer> room,
        int lostRoom,
        Duration leaseDuration,
        boolean afresh,
        boolean evenly) {

    private static final int PRIORITIES = 10;

    /** In the usual order: the highest priority first. */
    public ClaimRequest(
            String worker,
            Set<String> types,
            Map<String, Integer> room,
            int lostRoom,
            Duration leaseDuration,
            boolean afresh) {
        this(worker, types, room, lostRoom, leaseDuration, afresh, false);
    }

    public ClaimRequest {
        types = Set.copyOf(types);
        room = Map.copyOf(room);
    }

    /** How many tasks one priority of a queue may bring. */
    public int roomPerPriority(String queue) {
        int all = room.getOrDefault(queue, 0);
        return evenly ? (all + PRIORITIES - 1) / PRIORITIES : all;
    }
}
