package dev.sweep.maintenance;

import java.util.List;

/**
 * Tells every listener, and lets none of them harm a chore.
 *
 * @param name of the service, unique per start
 */
record MaintenanceEvents(String name, List<MaintenanceEventListener> listeners) {

    MaintenanceEvents {
        listeners = List.copyOf(listeners);
    }

    void publish(MaintenanceEvent event) {
        for (MaintenanceEventListener listener : listeners) {
            tell(listener, event);
        }
    }

    @SuppressWarnings("EmptyCatch")
    private static void tell(MaintenanceEventListener listener, MaintenanceEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable dropped) {
            // As the SPI says.
        }
    }
}
