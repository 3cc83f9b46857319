package dev.sweep;

import java.time.Duration;
import java.time.Instant;

/** When something is due by the clock of the store, which is the database's. */
public sealed interface Due {

    /**
     * So much later than now.
     *
     * @param delay zero to 3,650 days
     */
    record In(Duration delay) implements Due {
        public In {
            Bounds.duration("delay", delay, Duration.ZERO, Bounds.MAX_DELAY);
        }

        @Override
        public Instant from(Instant now) {
            return now.plus(delay);
        }
    }

    /**
     * At a moment.
     *
     * @param instant in the years 2000 to 2200; one in the past is due at once
     */
    record At(Instant instant) implements Due {
        public At {
            Bounds.dueAt(instant);
        }

        @Override
        public Instant from(Instant now) {
            return instant;
        }
    }

    static Due in(Duration delay) {
        return new In(delay);
    }

    static Due at(Instant instant) {
        return new At(instant);
    }

    /** The moment that it means, if it is now {@code now}. */
    Instant from(Instant now);
}
