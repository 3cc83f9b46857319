package dev.sweep.maintenance;

import java.time.Duration;
import java.util.Optional;

/**
 * API: what became of a chore that was run by {@link MaintenanceService#runOnce}.
 *
 * @param runs how many runs it took until nothing was left to do
 * @param rows how many rows they changed
 * @param took how long they took together
 * @param note what the last one found worth knowing
 * @param error what the last one failed with
 */
public record ChoreReport(
        String name, int runs, long rows, Duration took, Optional<String> note, Optional<String> error) {

    public boolean hasFailed() {
        return error.isPresent();
    }
}
