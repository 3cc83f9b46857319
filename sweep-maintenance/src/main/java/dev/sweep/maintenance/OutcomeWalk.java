package dev.sweep.maintenance;

import org.jspecify.annotations.Nullable;

/**
 * How far a walk over the outcomes has come, and what it has met; as text, what is kept from run to run.
 *
 * @param position the last id that was looked at
 * @param odd how many outcomes without a task it has met
 * @param oddIds the first of those; empty if there is none
 */
record OutcomeWalk(long position, long odd, String oddIds) {

    static final OutcomeWalk START = new OutcomeWalk(0, 0, "");

    private static final int PARTS = 3;

    static OutcomeWalk parse(String text) {
        String[] parts = text.split(" ", PARTS);
        if (parts.length < PARTS) {
            return START;
        }
        try {
            return new OutcomeWalk(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
        } catch (NumberFormatException notOurs) {
            return START;
        }
    }

    OutcomeWalk on(long to, long moreOdd, @Nullable String moreOddIds) {
        return new OutcomeWalk(to, odd + moreOdd, oddIds.isEmpty() && moreOddIds != null ? moreOddIds : oddIds);
    }

    /** Empty if there is nothing to tell. */
    String oddNote() {
        return odd == 0 ? "" : odd + " outcomes have no task and were left; look at " + oddIds + " in task_outcome";
    }

    @Override
    public String toString() {
        return position + " " + odd + " " + oddIds;
    }
}
