package dev.sweep.spi;

import java.util.Set;

/**
 * SPI: the answer to a {@link HeartbeatRequest}.
 *
 * @param extended the leases that hold for another lease duration
 * @param gone the attempts that no longer hold their task: interrupt them, their outcome will be refused
 */
public record Heartbeat(Set<Long> extended, Set<Attempt> gone) {

    public Heartbeat {
        extended = Set.copyOf(extended);
        gone = Set.copyOf(gone);
    }
}
