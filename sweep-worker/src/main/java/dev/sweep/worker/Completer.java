package dev.sweep.worker;

import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskId;
import dev.sweep.TransactionConflictException;
import dev.sweep.event.TaskEvent.OutcomeRefused;
import dev.sweep.event.TaskEvent.OutcomeUnstorable;
import dev.sweep.event.TaskEvent.OutcomesRecorded;
import dev.sweep.event.TaskEvent.TasksReclaimed;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes endings durable. They gather while the previous flush is under way and go in one call per verb, so a busy worker
 * batches and an idle one waits for nothing. An ending is kept until the store has answered for it; one that the store
 * can't hold never keeps the others back.
 */
final class Completer {

    private static final int LARGEST_FLUSH = 1_000;
    /** Between tries of an ending whose task another transaction holds. */
    private static final Duration CONTENDED_PAUSE = Duration.ofSeconds(1);

    private static final Pace OUTAGE_PACE = new Pace(Duration.ofMillis(50), Duration.ofSeconds(5));
    /** Idle turns only show that the loop is alive. */
    private static final Duration IDLE_TURN = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Completer.class);

    private final OutcomeWriter writer;
    private final RetryRule retryRule;
    private final HeldLeases leases;
    private final Contact contact;
    private final EventPublisher events;
    private final Announcer announcer;
    private final Loop loop;
    private final EndingQueue queue = new EndingQueue();
    private final LongAdder refused = new LongAdder();
    private final LongAdder released = new LongAdder();
    /** What the current flush has to do. Used by the loop's thread only, like the next. */
    private final Map<Attempt, Ending> pending = new LinkedHashMap<>();
    /** Attempts that may have been recorded by a flush whose answer was lost. */
    private final Set<Attempt> unsure = new HashSet<>();
    /** Attempts whose task another transaction holds; tried apart from the others, and singly. */
    private final Set<Attempt> contended = new LinkedHashSet<>();

    private volatile boolean tellsOfReleases;
    private long nextContendedTry = System.nanoTime();

    Completer(TaskStore store, RetryRule retryRule, HeldLeases leases, Contact contact, EventPublisher events) {
        this.writer = new OutcomeWriter(store);
        this.retryRule = retryRule;
        this.leases = leases;
        this.contact = contact;
        this.events = events;
        this.announcer = new Announcer(store);
        this.loop = new Loop("completer", OUTAGE_PACE, events, this::turn);
    }

    Loop loop() {
        return loop;
    }

    /** Takes an ending over; blocks while too many wait to be durable. */
    void offer(Ending ending) {
        queue.addWhenThereIsRoom(ending);
        loop.wake();
    }

    /** Takes an ending over that can't wait for room; never blocks. */
    void add(Ending ending) {
        queue.add(ending);
        loop.wake();
    }

    /** Gives tasks back that did not start; never blocks. */
    void release(Collection<HeldAttempt> unstarted) {
        if (!unstarted.isEmpty()) {
            unstarted.forEach(held -> queue.add(new Ending.Released(held.task())));
            loop.wake();
        }
    }

    /**
     * From now on other workers are told of what goes back. Not before: this worker would hear it, too, and take again
     * what it has just left to others.
     */
    void tellOfReleases() {
        tellsOfReleases = true;
    }

    /** Waits until all endings are durable, hurrying through an outage; false if the deadline came first. */
    boolean finish(Deadline deadline) {
        return queue.awaitSettled(deadline, loop::hurry);
    }

    /** Whoever waits for room goes on; what comes from here on may be lost, and lapses. */
    void abandon() {
        queue.abandon();
    }

    int unflushed() {
        return queue.unsettled();
    }

    long refused() {
        return refused.sum();
    }

    /** How many tasks went back. */
    long released() {
        return released.sum();
    }

    private Duration turn() {
        queue.drainTo(pending, LARGEST_FLUSH + contended.size());
        if (pending.isEmpty()) {
            loop.asksNothing(contact);
            return IDLE_TURN;
        }
        recordUncontended();
        recordContended();
        boolean onlyContendedAreLeft = !pending.isEmpty() && pending.size() == queue.unsettled();
        return onlyContendedAreLeft ? CONTENDED_PAUSE : Duration.ZERO;
    }

    private void recordUncontended() {
        for (Ending.Verb verb : Ending.Verb.values()) {
            List<Ending> group = pending.values().stream()
                    .filter(ending -> ending.verb() == verb && !contended.contains(ending.attempt()))
                    .sorted(Comparator.comparing(Ending::attempt))
                    .toList();
            if (!group.isEmpty()) {
                record(verb, group);
            }
        }
    }

    /** One after the other while they are free, as each one that is not costs a wait. */
    private void recordContended() {
        boolean isFree = System.nanoTime() - nextContendedTry >= 0;
        while (isFree && !contended.isEmpty()) {
            Attempt next = contended.iterator().next();
            contended.remove(next);
            Ending ending = pending.get(next);
            if (ending != null) {
                record(ending.verb(), List.of(ending));
            }
            isFree = !contended.contains(next);
        }
    }

    private void record(Ending.Verb verb, List<Ending> group) {
        try {
            write(verb, group);
        } catch (StoreUnavailableException passing) {
            group.forEach(ending -> unsure.add(ending.attempt()));
            throw passing;
        } catch (TransactionConflictException held) {
            if (group.size() > 1) {
                group.forEach(ending -> record(verb, List.of(ending)));
            } else {
                contended.add(group.get(0).attempt());
                leases.leaveOut(List.of(group.get(0).attempt()));
                nextContendedTry = System.nanoTime() + CONTENDED_PAUSE.toNanos();
            }
        } catch (RuntimeException | Error fault) {
            if (group.size() > 1) {
                group.forEach(ending -> record(verb, List.of(ending)));
            } else {
                replace(group.get(0), fault);
            }
        }
    }

    private void write(Ending.Verb verb, List<Ending> group) {
        if (verb == Ending.Verb.LOSE) {
            lose(group);
            return;
        }
        long began = System.nanoTime();
        Set<Attempt> accepted = writer.write(verb, group);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        if (!accepted.isEmpty()) {
            events.publish(new OutcomesRecorded(events.worker(), accepted.size(), took));
        }
        if (verb == Ending.Verb.RELEASE) {
            released(group, accepted);
        }
        for (Ending ending : group) {
            if (!accepted.contains(ending.attempt())) {
                notAccepted(ending);
            }
        }
        settle(group);
    }

    private void lose(List<Ending> group) {
        Reclaimed reclaimed = writer.lose(group);
        group.stream().filter(Ending.Lost.class::isInstance).forEach(this::refused);
        if (reclaimed.size() > 0) {
            events.publish(new TasksReclaimed(events.worker(), ids(reclaimed.returned()), ids(reclaimed.failed())));
            announcer.announce(new WakeUp.TasksReturnedAnywhere());
        }
        settle(group);
    }

    private static List<TaskId> ids(List<Attempt> attempts) {
        return attempts.stream().map(Attempt::id).toList();
    }

    private void released(List<Ending> group, Set<Attempt> accepted) {
        released.add(accepted.size());
        if (tellsOfReleases) {
            group.stream()
                    .filter(ending -> accepted.contains(ending.attempt()))
                    .map(ending -> ending.task().queue())
                    .distinct()
                    .forEach(queue -> announcer.announce(new WakeUp.TasksReturned(queue)));
        }
    }

    private void notAccepted(Ending ending) {
        if (ending.verb() == Ending.Verb.RELEASE || unsure.contains(ending.attempt())) {
            LOG.debug(
                    "task {} was not held any more, or its outcome was recorded already",
                    ending.attempt().id());
        } else {
            refused(ending);
        }
    }

    private void refused(Ending ending) {
        refused.increment();
        events.publish(new OutcomeRefused(events.worker(), ending.attempt().id()));
    }

    /** An outcome that can't be stored becomes a failure that says so; what can't be stored even then is left to lapse. */
    private void replace(Ending ending, Throwable fault) {
        events.publish(new OutcomeUnstorable(events.worker(), ending.attempt().id(), fault));
        boolean isSubstitute = ending instanceof Ending.Failed failed && failed.isSubstitute();
        if (isSubstitute || ending.verb() == Ending.Verb.RELEASE || ending.verb() == Ending.Verb.LOSE) {
            settle(List.of(ending));
            return;
        }
        Ending substitute =
                Ending.Failed.substituteFor(ending, retryRule.retryAfter(ending.task(), fault), ErrorText.of(fault));
        pending.put(ending.attempt(), substitute);
        record(substitute.verb(), List.of(substitute));
    }

    private void settle(List<Ending> endings) {
        List<Attempt> attempts = endings.stream().map(Ending::attempt).toList();
        attempts.forEach(pending::remove);
        attempts.forEach(unsure::remove);
        attempts.forEach(contended::remove);
        leases.settle(attempts);
        queue.settled(attempts.size());
    }
}
