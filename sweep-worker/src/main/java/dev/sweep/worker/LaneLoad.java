package dev.sweep.worker;

/**
 * What one queue has to do in this process.
 *
 * @param slots how many attempts or batches run at once
 * @param running slots with an attempt or a batch under way
 * @param buffered tasks that wait for a slot
 * @param prefetch how many may wait for one
 */
record LaneLoad(int slots, int running, int buffered, int prefetch) {

    /** Slots that nothing is on its way to. */
    int idle() {
        return Math.max(0, slots - running - buffered);
    }

    /** How many more tasks it could take: for its idle slots, and to wait. */
    int room() {
        return idle() + Math.max(0, prefetch - buffered);
    }

    /** Whether it needs more soon. */
    boolean isLow() {
        return idle() > 0 || buffered * 2 <= prefetch;
    }
}
