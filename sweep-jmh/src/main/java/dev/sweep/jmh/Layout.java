package dev.sweep.jmh;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;

/** How the tasks of an installation lie. */
public enum Layout {
    PLAIN(1),
    WEEKS_8(8),
    WEEKS_52(52);

    private final int weeks;

    Layout(int weeks) {
        this.weeks = weeks;
    }

    /** How many weeks there are, this one included. */
    int weeks() {
        return weeks;
    }

    void applyTo(JooqTaskStore store) {
        if (weeks > 1) {
            PartitionManager.builder(store).ahead(weeks - 1).build().enable(CalendarPeriod.WEEK);
        }
    }
}
