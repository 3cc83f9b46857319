package dev.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * API: a worker that runs, or ran not long ago. One that vanished has no {@code stoppedAt} and was not seen for a while.
 *
 * @param presence what it said of itself when it was last seen
 * @param seenAt by the store's clock; a worker shows itself every half minute
 * @param stoppedAt when it stopped in good order
 */
public record KnownWorker(WorkerPresence presence, Instant startedAt, Instant seenAt, Optional<Instant> stoppedAt) {}
