package dev.sweep.worker;

import dev.sweep.TaskId;
import dev.sweep.event.TaskEvent.TasksReclaimed;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import java.time.Duration;
import java.util.List;

/**
 * Takes back the tasks of workers that vanished. Every worker does it, so no leader is needed; but none that was out of touch
 * itself, until the others have had the time to come back too.
 */
final class Reclaimer {

    private static final int LIMIT = 500;
    private static final Pace OUTAGE_PACE = new Pace(Duration.ofMillis(500), Duration.ofSeconds(10));

    private final TaskStore store;
    private final WorkerConfig config;
    private final Claimer claimer;
    private final Contact contact;
    private final EventPublisher events;
    private final Announcer announcer;
    private final Loop loop;

    Reclaimer(TaskStore store, WorkerConfig config, Claimer claimer, Contact contact, EventPublisher events) {
        this.store = store;
        this.config = config;
        this.claimer = claimer;
        this.contact = contact;
        this.events = events;
        this.announcer = new Announcer(store);
        this.loop = new Loop("reclaimer", OUTAGE_PACE, events, this::turn);
    }

    Loop loop() {
        return loop;
    }

    private Duration turn() {
        if (!contact.isSteady(Moment.now())) {
            loop.asksNothing(contact);
            return Pace.jittered(config.reclaimInterval());
        }
        Reclaimed reclaimed = store.reclaim(config.leaseDuration(), LIMIT);
        if (reclaimed.size() > 0) {
            events.publish(new TasksReclaimed(events.worker(), ids(reclaimed.returned()), ids(reclaimed.failed())));
            claimer.claimAfresh();
            announcer.announce(new WakeUp.TasksReturnedAnywhere());
        }
        return reclaimed.size() >= LIMIT ? Duration.ZERO : Pace.jittered(config.reclaimInterval());
    }

    private static List<TaskId> ids(List<Attempt> attempts) {
        return attempts.stream().map(Attempt::id).toList();
    }
}
