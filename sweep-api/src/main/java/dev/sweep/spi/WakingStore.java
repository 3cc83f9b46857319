package dev.sweep.spi;

import java.util.Optional;

/**
 * SPI: a store through which processes wake each other. A wake-up is a hint: it may be lost, come late or come twice, and
 * what it told of is then found by polling. Thread-safe.
 */
public interface WakingStore {

    /**
     * Tells everyone who listens to the same tasks, in all processes. To be called after the commit of what it tells of.
     * Returns at once, never throws, and does nothing on a store that is closed, away, or told not to announce. Equal
     * wake-ups that follow each other closely may become one.
     */
    void announce(WakeUp wakeUp);

    /**
     * Begins to listen: what is announced from the return of this method on is heard. Blocks for a connection and a
     * round trip.
     *
     * @return empty if this store tells nothing, now and later
     * @throws dev.sweep.StoreUnavailableException if the store can't be reached
     */
    Optional<Listening> listen();
}
