package dev.sweep.maintenance;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase;
import java.time.Instant;
import java.util.Optional;

/** SPI: what a run of a chore works with. Implementations come with Sweep; tests of chores may bring their own. */
public interface ChoreContext {

    JooqTaskStore store();

    /** Where statements run. */
    default StoreDatabase database() {
        return store().database();
    }

    /** The database's clock at the start of this run. */
    Instant now();

    /** What the last run that succeeded kept; empty at the very first, or if that kept nothing. */
    Optional<String> position();

    /** Whether to end between two transactions, because the time for this run is over or others take over. */
    boolean isTimeUp();
}
