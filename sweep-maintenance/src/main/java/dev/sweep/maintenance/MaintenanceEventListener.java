package dev.sweep.maintenance;

/**
 * SPI: hears what a {@link MaintenanceService} does, on its threads: be quick, never block. What it throws is dropped; it misses
 * that event, and nobody else does.
 */
@FunctionalInterface
public interface MaintenanceEventListener {

    void onEvent(MaintenanceEvent event);
}
