package dev.sweep.worker;

import dev.sweep.event.TaskEvent.AttemptInterrupted;
import java.time.Duration;
import java.util.List;

/**
 * Lets go of what this process can't rely on holding: stops attempts whose lease has passed its last confirmed end, and
 * hands back tasks that have waited for a slot too long. Apart from the heartbeat, because it must work while that hangs.
 */
final class LeaseWatch {

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(5);

    private final WorkerConfig config;
    private final HeldLeases leases;
    private final TaskBuffer buffer;
    private final Completer completer;
    private final EventPublisher events;
    private final Loop loop;

    LeaseWatch(WorkerConfig config, HeldLeases leases, TaskBuffer buffer, Completer completer, EventPublisher events) {
        this.config = config;
        this.leases = leases;
        this.buffer = buffer;
        this.completer = completer;
        this.events = events;
        Duration interval = config.heartbeat().dividedBy(2);
        this.loop = new Loop("lease watch", new Pace(interval, interval), events, this::turn);
    }

    Loop loop() {
        return loop;
    }

    private Duration turn() {
        Moment now = Moment.now();
        leases.lapsed(now).forEach(this::letGo);
        completer.release(buffer.removeWaitingLongerThan(config.heartbeat(), now));
        Duration interval = config.heartbeat().dividedBy(2);
        return leases.margin(now)
                .filter(margin -> !margin.isNegative() && margin.compareTo(interval) < 0)
                .map(margin -> margin.plus(SHORTEST_WAIT))
                .orElse(interval);
    }

    private void letGo(HeldAttempt held) {
        if (held.lose()) {
            events.publish(new AttemptInterrupted(events.worker(), held.told()));
        }
        if (buffer.remove(held)) {
            // Most likely refused; if the store still knows the attempt, its task need not wait for a reclaim.
            completer.release(List.of(held));
        }
    }
}
