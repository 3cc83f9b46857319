package dev.sweep.cli.bench;

import java.util.Optional;

/**
 * The tasks of a schema, counted by SQL.
 *
 * @param open those that wait or run
 * @param succeeded those that have ended well
 */
public record Census(long open, long succeeded) {

    static final Census NONE = new Census(0, 0);

    /** What is off after so many tasks were enqueued and so many have ended, as their processes say; empty: nothing. */
    Optional<String> faultSince(Census before, long enqueued, long ended) {
        long newlySucceeded = succeeded - before.succeeded;
        long left = before.open + enqueued - ended;
        return newlySucceeded == ended && open == left
                ? Optional.empty()
                : Optional.of(newlySucceeded + " tasks have succeeded and " + open + " wait or run, but it must be "
                        + ended + " and " + left + "; what was measured can't be believed");
    }
}
