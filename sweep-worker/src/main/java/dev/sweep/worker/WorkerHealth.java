package dev.sweep.worker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a worker knows about itself at one moment; asking costs no round trip.
 *
 * @param downReasons why it does not do its work, one sentence each; empty while it does
 * @param loops one entry per loop
 * @param load what it holds
 * @param leaseMargin how far ahead the next end of a lease lies, as last confirmed; empty while it holds none
 */
public record WorkerHealth(
        String worker, List<String> downReasons, List<LoopHealth> loops, Load load, Optional<Duration> leaseMargin) {

    public WorkerHealth {
        downReasons = List.copyOf(downReasons);
        loops = List.copyOf(loops);
    }

    /** Whether it claims and runs tasks. */
    public boolean isUp() {
        return downReasons.isEmpty();
    }

    /**
     * What a worker holds.
     *
     * @param buffered tasks claimed and not started
     * @param running attempts under way
     * @param stuck handlers that run on although they timed out and another slot took their place
     * @param unflushed outcomes that are not durable yet
     * @param refused outcomes that were refused since the start, because their attempt no longer held its task
     */
    public record Load(int buffered, int running, int stuck, int unflushed, long refused) {}
}
