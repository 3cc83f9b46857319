package dev.sweep.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** SPI: one listener's ear on a {@link WakingStore}. Used by one thread; closed by any. */
public interface Listening extends AutoCloseable {

    /**
     * What was announced since the last call; waits for it. Also proves from time to time that the store is still there.
     *
     * @param atMost how long to wait for the first wake-up; a proof may add a few seconds
     * @return empty if there was none, or this was closed
     * @throws dev.sweep.StoreUnavailableException if the store was lost and this hears no more: close it and listen anew
     */
    Set<WakeUp> await(Duration atMost);

    /**
     * Announces something that only this listener knows, from elsewhere, and waits for it. What else is heard meanwhile
     * is kept for {@link #await}.
     *
     * @return empty if it was heard; else what is wrong, and what to do about it
     * @throws dev.sweep.StoreUnavailableException as {@link #await}
     */
    Optional<String> selfTest(Duration atMost);

    /** Ends listening, and a wait under way. Repeatable; never blocks for long, and never throws. */
    @Override
    void close();
}
