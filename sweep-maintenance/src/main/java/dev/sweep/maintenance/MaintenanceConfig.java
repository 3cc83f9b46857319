package dev.sweep.maintenance;

import java.time.Duration;
import java.util.List;

/**
 * The settings of a maintenance service, checked; what each means is said at {@link MaintenanceBuilder}.
 *
 * @param events bear the name of who leads, for people
 */
record MaintenanceConfig(
        MaintenanceEvents events,
        List<ScheduledChore> chores,
        Duration leaseDuration,
        Duration budget,
        Duration stopTimeout) {

    MaintenanceConfig {
        chores = List.copyOf(chores);
    }

    String name() {
        return events.name();
    }
}
