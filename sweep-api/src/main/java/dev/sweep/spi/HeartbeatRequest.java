package dev.sweep.spi;

import java.time.Duration;
import java.util.Set;

/**
 * SPI: what a worker says at each beat.
 *
 * @param worker the name of the process
 * @param leaseDuration how long its leases shall hold from now
 * @param leases the leases to extend; others of this worker that hold nothing are dropped
 * @param attempts the attempts under way, asked about
 */
public record HeartbeatRequest(String worker, Duration leaseDuration, Set<Long> leases, Set<Attempt> attempts) {

    public HeartbeatRequest {
        leases = Set.copyOf(leases);
        attempts = Set.copyOf(attempts);
    }
}
