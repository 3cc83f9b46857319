package dev.sweep.worker;

import dev.sweep.event.TaskEvent.AttemptInterrupted;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Beats: extends the leases that still hold something, and stops the attempts that the store says are gone. */
final class LeaseKeeper {

    private static final int TRIES_PER_BEAT = 5;
    /** However many tasks are cancelled. */
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private final TaskStore store;
    private final WorkerConfig config;
    private final HeldLeases leases;
    private final TaskBuffer buffer;
    private final Contact contact;
    private final EventPublisher events;
    private final Loop loop;
    private final AtomicBoolean isHurried = new AtomicBoolean();
    private long lastBeatNanos = System.nanoTime() - SHORTEST_INTERVAL.toNanos();

    LeaseKeeper(
            TaskStore store,
            WorkerConfig config,
            HeldLeases leases,
            TaskBuffer buffer,
            Contact contact,
            EventPublisher events) {
        this.store = store;
        this.config = config;
        this.leases = leases;
        this.buffer = buffer;
        this.contact = contact;
        this.events = events;
        Duration retryIn = config.heartbeat().dividedBy(TRIES_PER_BEAT);
        this.loop = new Loop("heartbeat", new Pace(retryIn, retryIn), events, this::turn);
    }

    Loop loop() {
        return loop;
    }

    /** Something was cancelled: asks at once which attempts are gone, if any are held. */
    void beatSoon() {
        if (!leases.isEmpty()) {
            isHurried.set(true);
            loop.wake();
        }
    }

    private Duration turn() {
        Duration sinceLast = Duration.ofNanos(System.nanoTime() - lastBeatNanos);
        if (isHurried.get() && sinceLast.compareTo(SHORTEST_INTERVAL) < 0) {
            loop.asksNothing(contact);
            return SHORTEST_INTERVAL.minus(sinceLast);
        }
        isHurried.set(false);
        lastBeatNanos = System.nanoTime();
        Moment sentAt = Moment.now();
        Heartbeat beat = store.heartbeat(
                new HeartbeatRequest(events.worker(), config.leaseDuration(), leases.numbers(), leases.attempts()));
        contact.made(Moment.now());
        leases.extend(beat.extended(), sentAt.plus(config.leaseDuration()));
        leases.find(beat.gone()).forEach(this::letGo);
        return config.heartbeat().minus(Moment.now().since(sentAt));
    }

    private void letGo(HeldAttempt held) {
        if (held.lose()) {
            events.publish(new AttemptInterrupted(events.worker(), held.told()));
        }
        if (buffer.remove(held)) {
            leases.settle(List.of(held.attempt()));
        }
    }
}
