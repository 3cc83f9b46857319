package dev.sweep.worker;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Plans claims: per queue room for the idle slots and for what will start within a second, within the bounds of the buffer
 * and the size of a batch. Used by the claimer's thread only.
 */
final class RoomPlanner {

    private final Set<String> types;
    private final int bufferLimit;
    private final long bufferBytes;
    private final LostLooks lostLooks = new LostLooks();

    RoomPlanner(Set<String> types, int bufferLimit, long bufferBytes) {
        this.types = types;
        this.bufferLimit = bufferLimit;
        this.bufferBytes = bufferBytes;
    }

    ClaimPlan plan(BufferLoad load, int batch, long nowNanos) {
        Map<String, Integer> room = new LinkedHashMap<>();
        boolean allIdle = true;
        for (Map.Entry<String, LaneLoad> entry : load.lanes().entrySet()) {
            LaneLoad lane = entry.getValue();
            if (lane.room() > 0 && !mustRunDry(entry.getKey(), lane, load, nowNanos)) {
                room.put(entry.getKey(), lane.room());
                allIdle &= lane.idle() > 0;
            }
        }
        int lostRoom = allIdle && !room.isEmpty() && !load.holdsLost() ? 1 : 0;
        boolean looksEverywhere = lostRoom == 1
                && room.size() == load.lanes().size()
                && load.reachedTypes().isEmpty();
        return new ClaimPlan(wanted(load), cut(room, Math.min(batch, bound(load))), lostRoom, looksEverywhere);
    }

    private Set<String> wanted(BufferLoad load) {
        Set<String> wanted = new HashSet<>(types);
        wanted.removeAll(load.reachedTypes());
        return wanted;
    }

    /** A claim by this plan has come back. */
    void claimed(ClaimPlan plan, boolean foundLost, long nowNanos) {
        if (plan.lostRoom() > 0) {
            lostLooks.looked(plan.room().keySet(), foundLost, nowNanos);
        }
    }

    private boolean mustRunDry(String queue, LaneLoad lane, BufferLoad load, long nowNanos) {
        return lane.idle() == 0 && !load.holdsLost() && lostLooks.isDue(queue, nowNanos);
    }

    /** Idle slots are always served; what would have to wait is bounded in count and bytes. */
    private int bound(BufferLoad load) {
        long byCount = (long) bufferLimit - load.buffered();
        long byBytes = (bufferBytes - load.bytes()) / load.averageBytes();
        return load.idle() + (int) Math.max(0, Math.min(byCount, byBytes));
    }

    private static Map<String, Integer> cut(Map<String, Integer> room, int bound) {
        int total = room.values().stream().mapToInt(Integer::intValue).sum();
        if (total <= bound) {
            return room;
        }
        if (bound == 0) {
            return Map.of();
        }
        room.replaceAll((queue, wanted) -> (int) Math.max(1, (long) wanted * bound / total));
        return room;
    }
}
