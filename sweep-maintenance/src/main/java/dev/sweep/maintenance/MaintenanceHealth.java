package dev.sweep.maintenance;

import java.util.List;
import java.util.Optional;

/**
 * API: what a maintenance service knows about itself; asking costs no round trip.
 *
 * @param name what stands in {@code maintenance_lease} while it leads
 * @param isLeading whether it runs the chores now; if not, another process does, or the fault says why
 * @param running the chores under way
 * @param fault what keeps it from working, such as a read-only server, or a role without the rights of the
 *     tables' owner
 */
public record MaintenanceHealth(String name, boolean isLeading, List<String> running, Optional<String> fault) {

    public MaintenanceHealth {
        running = List.copyOf(running);
    }
}
