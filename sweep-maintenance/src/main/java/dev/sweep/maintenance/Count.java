package dev.sweep.maintenance;

/** How many rows the batches of one run have changed. */
final class Count {

    private long value;

    void add(long rows) {
        value += rows;
    }

    long value() {
        return value;
    }

    ChoreResult result(boolean hasMore) {
        return hasMore ? ChoreResult.more(value) : ChoreResult.done(value);
    }
}
