package dev.sweep.worker;

import java.time.Duration;
import java.util.Optional;

/**
 * How one loop of a worker does.
 *
 * @param name claimer, completer, heartbeat, reclaimer, lease watch or listener
 * @param sinceLastSuccess how long ago a turn of it last ended well
 * @param fault what it met in its last turn; empty if that ended well
 */
public record LoopHealth(String name, Duration sinceLastSuccess, Optional<String> fault) {}
