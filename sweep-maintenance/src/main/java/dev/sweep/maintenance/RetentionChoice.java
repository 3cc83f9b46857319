package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;

/** What this process was told of the retention, on its way into the database: it waits if that can't be written now. */
final class RetentionChoice {

    private final StoreDatabase database;
    private final ChosenRetention chosen;
    private volatile boolean isPending;

    RetentionChoice(StoreDatabase database, ChosenRetention chosen) {
        this.database = database;
        this.chosen = chosen;
        this.isPending = !chosen.isEmpty();
    }

    /** Whether something was chosen that does not hold yet. */
    boolean isPending() {
        return isPending;
    }

    /** Makes it hold for all from now on, once. One transaction; none if there is nothing to do. */
    void store() {
        if (isPending) {
            chosen.store(database);
            isPending = false;
        }
    }
}
