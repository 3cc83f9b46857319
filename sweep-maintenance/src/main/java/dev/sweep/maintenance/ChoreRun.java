package dev.sweep.maintenance;

import java.time.Duration;
import java.util.Optional;

/**
 * How one run of a chore ended.
 *
 * @param result empty: it failed
 * @param error empty: it succeeded
 * @param hasMovedOn whether it changed rows or its position
 */
record ChoreRun(Duration took, Optional<ChoreResult> result, Optional<String> error, boolean hasMovedOn) {

    boolean hasMore() {
        return result.filter(ChoreResult::hasMore).isPresent() && hasMovedOn;
    }

    long rows() {
        return result.map(ChoreResult::rows).orElse(0L);
    }
}
