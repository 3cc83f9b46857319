package dev.sweep.worker;

import dev.sweep.event.TaskEvent.AttemptStuck;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends attempts that run longer than the timeout of their type, and warns of those that most likely hang. */
final class TimeoutWatch {

    private static final Duration STUCK_AFTER = Duration.ofMinutes(10);
    private static final Duration SHORTEST_LOOK = Duration.ofMillis(5);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);
    private static final int LOOKS_PER_TIMEOUT = 10;

    private final HandlerRegistry handlers;
    private final Slots slots;
    private final Judge judge;
    private final Completer completer;
    private final EventPublisher events;
    private final Duration interval;
    private final Loop loop;

    TimeoutWatch(HandlerRegistry handlers, Slots slots, Judge judge, Completer completer, EventPublisher events) {
        this.handlers = handlers;
        this.slots = slots;
        this.judge = judge;
        this.completer = completer;
        this.events = events;
        this.interval = handlers.shortestTimeout().map(TimeoutWatch::lookWithin).orElse(LONGEST_LOOK);
        this.loop = new Loop("timeout watch", new Pace(interval, interval), events, this::turn);
    }

    Loop loop() {
        return loop;
    }

    private static Duration lookWithin(Duration timeout) {
        Duration look = timeout.dividedBy(LOOKS_PER_TIMEOUT);
        if (look.compareTo(SHORTEST_LOOK) < 0) {
            return SHORTEST_LOOK;
        }
        return look.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : look;
    }

    private Duration turn() {
        for (Slot slot : slots.slots()) {
            @Nullable HandlerRun run = slot.lastRun();
            if (run != null && !run.attempts().isEmpty()) {
                judge(slot, run);
            }
        }
        return interval;
    }

    private void judge(Slot slot, HandlerRun run) {
        Duration runningFor = run.runningFor();
        Optional<Duration> timeout = handlers.timeoutOf(run.type());
        if (timeout.isPresent() && runningFor.compareTo(timeout.get()) > 0) {
            timeOut(slot, run, timeout.get(), runningFor);
        } else if (runningFor.compareTo(STUCK_AFTER) > 0 && run.tellStuck()) {
            run.attempts().forEach(held -> events.publish(new AttemptStuck(events.worker(), held.told(), runningFor)));
        }
    }

    private void timeOut(Slot slot, HandlerRun run, Duration timeout, Duration runningFor) {
        if (run.timeOut()) {
            run.attempts().forEach(held -> completer.add(judge.timedOut(held, timeout, runningFor)));
        }
        if (run.isTimedOut()) {
            slots.replace(slot, run);
        }
    }
}
