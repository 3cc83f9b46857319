package dev.sweep.cli.bench;

/**
 * How far processes are.
 *
 * @param count how many tasks they have ended or enqueued
 * @param firstMicros when the first of them began; 0: not yet
 * @param lastMicros when the last of these tasks ended; 0: none has
 */
record Tally(long count, long firstMicros, long lastMicros) {

    static final Tally NONE = new Tally(0, 0, 0);

    Tally and(Tally other) {
        boolean isFirst = other.firstMicros == 0 || (firstMicros != 0 && firstMicros <= other.firstMicros);
        long first = isFirst ? firstMicros : other.firstMicros;
        return new Tally(count + other.count, first, Math.max(lastMicros, other.lastMicros));
    }

    /** What was done since. */
    Tally since(Tally before) {
        return before.count == 0 ? this : new Tally(count - before.count, before.lastMicros, lastMicros);
    }

    double seconds() {
        return Math.max(1, lastMicros - firstMicros) / (double) Micros.PER_SECOND;
    }
}
