package dev.sweep.partitioning;

import java.util.List;
import java.util.Optional;

/**
 * What came of one step of a retirement.
 *
 * @param isDone whether there is nothing more to do in this run
 * @param staying why the range stays, if it does
 * @param putBack how many tasks that were in no place wait again
 */
record RetirementStep(boolean isDone, Optional<StayingRange> staying, long putBack) {

    /** It went well, and the next one may follow. */
    static final RetirementStep ON = new RetirementStep(false, Optional.empty(), 0);

    /** It was the last one. */
    static final RetirementStep END = new RetirementStep(true, Optional.empty(), 0);

    static RetirementStep stay(StayingRange staying) {
        return new RetirementStep(true, Optional.of(staying), 0);
    }

    /** The range is attached again because of this. */
    static RetirementStep giveBack(StayingRange staying) {
        return new RetirementStep(false, Optional.of(staying), 0);
    }

    static RetirementStep putBack(long tasks) {
        return new RetirementStep(false, Optional.empty(), tasks);
    }

    static RetirementStep stay(String name, String why) {
        return stay(new StayingRange(name, why, List.of()));
    }
}
