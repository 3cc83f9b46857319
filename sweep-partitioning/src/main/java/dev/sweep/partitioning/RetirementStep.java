package dev.sweep.partitioning;

import java.util.List;
import java.util.Optional;

/**
 * What came of one step of a retirement.
 *
 * @param isDone whether there is nothing more to do in this run
 * @param staying why the range stays, if it does
 */
record RetirementStep(boolean isDone, Optional<StayingRange> staying) {

    /** It went well, and the next one may follow. */
    static final RetirementStep ON = new RetirementStep(false, Optional.empty());

    /** It was the last one. */
    static final RetirementStep END = new RetirementStep(true, Optional.empty());

    static RetirementStep stay(StayingRange staying) {
        return new RetirementStep(true, Optional.of(staying));
    }

    static RetirementStep stay(String name, String why) {
        return stay(new StayingRange(name, why, List.of()));
    }
}
