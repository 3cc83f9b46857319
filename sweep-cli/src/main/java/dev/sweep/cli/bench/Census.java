package dev.sweep.cli.bench;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a schema, counted by SQL.
 *
 * @param open those that wait or run
 * @param succeeded those that have ended well; null: they are deleted, so that only the open ones can be counted
 */
public record Census(long open, @Nullable Long succeeded) {

    private static final String DISBELIEF = "; what was measured can't be believed";

    static final Census NONE = new Census(0, 0L);

    /** Of a contender that lacks {@link Ability#HISTORY}. */
    public static Census ofOpen(long open) {
        return new Census(open, null);
    }

    /** What is off after so many tasks were enqueued and so many have ended, as their processes say; empty: nothing. */
    Optional<String> faultSince(Census before, long enqueued, long ended) {
        long left = before.open + enqueued - ended;
        if (succeeded == null || before.succeeded == null) {
            return open == left
                    ? Optional.empty()
                    : Optional.of(open + " tasks wait or run, but it must be " + left + DISBELIEF);
        }
        long newlySucceeded = succeeded - before.succeeded;
        return newlySucceeded == ended && open == left
                ? Optional.empty()
                : Optional.of(newlySucceeded + " tasks have succeeded and " + open + " wait or run, but it must be "
                        + ended + " and " + left + DISBELIEF);
    }
}
