package dev.sweep.maintenance;

import java.time.Duration;

/** API: something a {@link MaintenanceService} did or found; the table of all of them is in {@code docs/concepts.md}. */
public sealed interface MaintenanceEvent {

    /** The service's name, unique per start. */
    String maintenance();

    /** This service leads from now on. */
    record LeadTaken(String maintenance) implements MaintenanceEvent {}

    /** Another service leads: this one was stopped, frozen or cut off for longer than its lease. */
    record LeadLost(String maintenance) implements MaintenanceEvent {}

    /** A run of a chore ended well. */
    record ChoreSucceeded(String maintenance, String chore, long rows, Duration took) implements MaintenanceEvent {}

    /** A run of a chore failed, and will be tried again later. */
    record ChoreFailed(String maintenance, String chore, Duration took, String error) implements MaintenanceEvent {}

    /**
     * Partitions reach less than two periods ahead, although they were to be created just now: a person must look before
     * enqueues fail. Told by every service at its start and by the leader each hour.
     *
     * @param periodsAhead after the present one; negative: the present one is missing, and enqueues fail
     */
    record PartitionsRunShort(String maintenance, int periodsAhead) implements MaintenanceEvent {}
}
