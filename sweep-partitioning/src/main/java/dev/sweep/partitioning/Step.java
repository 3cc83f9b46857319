package dev.sweep.partitioning;

import java.util.List;
import java.util.Optional;

/**
 * What came of one step of a retirement.
 *
 * @param isDone whether there is nothing more to do in this run
 * @param staying why the range stays, if it does
 */
record Step(boolean isDone, Optional<StayingRange> staying) {

    /** It went well, and the next one may follow. */
    static final Step ON = new Step(false, Optional.empty());

    /** It was the last one. */
    static final Step END = new Step(true, Optional.empty());

    static Step stay(StayingRange staying) {
        return new Step(true, Optional.of(staying));
    }

    static Step stay(String name, String why) {
        return stay(new StayingRange(name, why, List.of()));
    }
}
