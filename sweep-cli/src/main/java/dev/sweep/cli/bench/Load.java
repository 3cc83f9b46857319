package dev.sweep.cli.bench;

import java.time.Duration;

/**
 * What burdens a contender beside the tasks that are measured.
 *
 * @param backlog tasks that wait beforehand and stay
 * @param finished tasks that have ended beforehand
 * @param partitions how many weeks hold all tasks; 0: no partitions
 * @param isPinned whether a snapshot is held open, so that no dead row can be removed
 * @param pinnedFor how long tasks come and go under that snapshot before the measurement
 */
public record Load(long backlog, long finished, int partitions, boolean isPinned, Duration pinnedFor) {

    /** Nothing. */
    public static final Load NONE = new Load(0, 0, 0, false, Duration.ZERO);
}
