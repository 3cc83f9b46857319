package dev.sweep.maintenance;

import java.util.Optional;

/**
 * SPI: what came of one run of a chore.
 *
 * @param rows how many rows it changed
 * @param hasMore whether there is more to do right now, so that the next run is due at once
 * @param position where the next run goes on; empty: at the beginning
 * @param note what a person should know of it, in a sentence; never a payload
 */
public record ChoreResult(long rows, boolean hasMore, Optional<String> position, Optional<String> note) {

    /** Nothing is left to do for now. */
    public static ChoreResult done(long rows) {
        return new ChoreResult(rows, false, Optional.empty(), Optional.empty());
    }

    /** There is more to do right now. */
    public static ChoreResult more(long rows) {
        return new ChoreResult(rows, true, Optional.empty(), Optional.empty());
    }

    public ChoreResult at(String position) {
        return new ChoreResult(rows, hasMore, Optional.of(position), note);
    }

    public ChoreResult noting(String note) {
        return new ChoreResult(rows, hasMore, position, Optional.of(note));
    }
}
