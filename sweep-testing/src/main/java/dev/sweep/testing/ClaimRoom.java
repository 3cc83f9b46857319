package dev.sweep.testing;

import dev.sweep.spi.ClaimRequest;
import java.util.HashMap;
import java.util.Map;

/** The room of one claim, as it is used up: so much per queue, and so much for tasks with losses. */
final class ClaimRoom {

    /** A queue's tasks of one priority. */
    private record Rank(String queue, int priority) {}

    private final ClaimRequest request;
    private final Map<String, Integer> left;
    private final Map<Rank, Integer> taken = new HashMap<>();
    private int lostLeft;
    private int totalLeft;

    ClaimRoom(ClaimRequest request) {
        this.request = request;
        this.left = new HashMap<>(request.room());
        this.lostLeft = request.lostRoom();
        this.totalLeft =
                lostLeft + left.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** True if there was room for the task, which is then used. */
    boolean take(StoredTask task) {
        boolean fits = task.wasLost() ? lostLeft > 0 : left.getOrDefault(task.queue(), 0) > 0 && hasRankRoom(task);
        if (fits) {
            totalLeft--;
            use(task);
        }
        return fits;
    }

    boolean isUsedUp() {
        return totalLeft == 0;
    }

    private void use(StoredTask task) {
        if (task.wasLost()) {
            lostLeft--;
        } else {
            left.merge(task.queue(), -1, Integer::sum);
            taken.merge(rankOf(task), 1, Integer::sum);
        }
    }

    private boolean hasRankRoom(StoredTask task) {
        return taken.getOrDefault(rankOf(task), 0) < request.roomPerPriority(task.queue());
    }

    private static Rank rankOf(StoredTask task) {
        return new Rank(task.queue(), task.priority());
    }
}
