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
 * @param wakeUps whether it hears of new tasks; without that it finds them by polling, and is no less up
 */
public record WorkerHealth(
        String worker,
        List<String> downReasons,
        List<LoopHealth> loops,
        Load load,
        Optional<Duration> leaseMargin,
        WakeUps wakeUps) {

    public WorkerHealth {
        downReasons = List.copyOf(downReasons);
        loops = List.copyOf(loops);
    }

    /** Whether it claims and runs tasks. */
    public boolean isUp() {
        return downReasons.isEmpty();
    }

    /** Whether a worker hears of new tasks. */
    public enum WakeUps {
        /** The store tells nothing, or was told not to. */
        OFF,
        /** It is about to listen, or was cut off; the listener's {@link LoopHealth#fault} says by what. */
        CONNECTING,
        /** It hears what is announced. */
        ARRIVING,
        /** It listens and hears nothing, most likely because of a pooler; the listener's fault says what to do. */
        NOT_ARRIVING
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
