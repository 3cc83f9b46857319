package dev.sweep.spi;

import dev.sweep.SweepException;
import java.util.Set;

/** SPI: what became of a transaction in which handlers ran and their tasks were to be completed. */
public sealed interface TransactionEnd {

    /**
     * The work and all its completions are durable.
     *
     * @param isFoundOut whether the answer to the commit was lost, so that the store had to look
     */
    record Committed(boolean isFoundOut) implements TransactionEnd {}

    /** The work completed nothing, and was rolled back. */
    record RolledBack() implements TransactionEnd {}

    /**
     * All was rolled back, because some attempts no longer held their tasks.
     *
     * @param attempts those that no longer held their tasks; the work can be done again for the others
     */
    record Refused(Set<Attempt> attempts) implements TransactionEnd {
        public Refused {
            attempts = Set.copyOf(attempts);
        }
    }

    /**
     * The answer to the commit was lost, and looking found nothing out while the leases held. Nothing may be recorded for
     * any of the tasks: if the commit did not happen, their leases lapse and they are reclaimed.
     *
     * @param cause how the answer was lost
     */
    record Unknown(SweepException cause) implements TransactionEnd {}
}
