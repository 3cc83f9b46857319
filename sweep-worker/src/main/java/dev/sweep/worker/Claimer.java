package dev.sweep.worker;

import dev.sweep.event.TaskEvent.OrphansRemoved;
import dev.sweep.event.TaskEvent.TasksClaimed;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Claims tasks into the buffer, one claim at a time: again at once while claims come back full and there is room, else
 * when asked or hinted, when the next task is due, or after the poll interval.
 */
final class Claimer {

    private static final Pace OUTAGE_PACE = new Pace(Duration.ofMillis(100), Duration.ofSeconds(5));

    private final TaskStore store;
    private final WorkerConfig config;
    private final HeldLeases leases;
    private final TaskBuffer buffer;
    private final Completer completer;
    private final IdleWatch idleWatch;
    private final Contact contact;
    private final EventPublisher events;
    private final Loop loop;
    private final RoomPlanner planner;
    private final BatchSize batch;
    private final PollInterval poll;
    private final FairShare fairShare;
    private final ClaimHints hints = new ClaimHints();
    private final AtomicBoolean isAsked = new AtomicBoolean(true);
    private final AtomicBoolean isAfresh = new AtomicBoolean(true);
    private volatile boolean reliesOnWakeUps;
    private volatile boolean waitsForAnyRoom;
    private volatile Set<String> hungry = Set.of();
    /** The last look brought a task that was lost before, so there may be another one, for when this is done. */
    private volatile boolean seeksLost;

    private volatile boolean hasLeftOutTypes;
    private long nextPollNanos;

    Claimer(
            TaskStore store,
            WorkerConfig config,
            HandlerRegistry handlers,
            HeldLeases leases,
            Completer completer,
            IdleWatch idleWatch,
            Contact contact,
            EventPublisher events) {
        this.store = store;
        this.config = config;
        this.leases = leases;
        this.buffer = new TaskBuffer(
                config.slots(), config.bufferLimit(), handlers, leases, this::roomOpened, this::typeRoomOpened);
        this.completer = completer;
        this.idleWatch = idleWatch;
        this.contact = contact;
        this.events = events;
        this.loop = new Loop("claimer", OUTAGE_PACE, events, this::turn);
        this.planner = new RoomPlanner(handlers.types(), config.bufferLimit(), config.bufferBytes());
        this.batch = new BatchSize(config.smallestBatch(), config.largestBatch());
        this.fairShare = new FairShare(config.fairShare());
        this.poll = new PollInterval(config.shortestPoll(), this::longestPoll);
    }

    Loop loop() {
        return loop;
    }

    TaskBuffer buffer() {
        return buffer;
    }

    /** Looks at once, and at all of the queue: something came back that a hint of the store's may pass over. */
    void claimAfresh() {
        isAfresh.set(true);
        isAsked.set(true);
        loop.wake();
    }

    /** Tasks wait in these queues: looks soon, once there is need of them. What is hinted during a claim causes one more. */
    void hint(Set<String> queues) {
        Set<String> ours = new HashSet<>(queues);
        ours.retainAll(config.slots().keySet());
        if (!ours.isEmpty()) {
            ours.forEach(hints::add);
            loop.wake();
        }
    }

    /** The same, and they may stand where hints of the store's pass over. */
    void hintAfresh(Set<String> queues) {
        if (queues.stream().anyMatch(config.slots()::containsKey)) {
            isAfresh.set(true);
        }
        hint(queues);
    }

    void hintAfreshEverywhere() {
        hintAfresh(config.slots().keySet());
    }

    /** While wake-ups arrive, it polls less often. */
    void relyOnWakeUps(boolean theyArrive) {
        reliesOnWakeUps = theyArrive;
    }

    private Duration longestPoll() {
        return reliesOnWakeUps ? config.longestWokenPoll() : config.longestPoll();
    }

    private void roomOpened(String queue) {
        if (waitsForAnyRoom || seeksLost || hungry.contains(queue)) {
            loop.wake();
        }
    }

    /** There is room for another task that was lost before. */
    void lostGone() {
        if (seeksLost) {
            loop.wake();
        }
    }

    /** Tasks of the types that were left out may have been waiting all the while. */
    private void typeRoomOpened() {
        if (hasLeftOutTypes) {
            isAsked.set(true);
            loop.wake();
        }
    }

    private Duration turn() {
        waitsForAnyRoom = true;
        // Until the load is known: a type of which there is enough now may have room before this turn is over.
        hasLeftOutTypes = true;
        BufferLoad load = buffer.load();
        long now = System.nanoTime();
        ClaimPlan plan = planner.plan(load, batch.size(), now);
        hasLeftOutTypes = !load.reachedTypes().isEmpty();
        if (plan.isEmpty()) {
            loop.asksNothing(contact);
            return config.longestPoll();
        }
        waitsForAnyRoom = false;
        if (hints.areDue(now)) {
            takeHints();
        }
        if (!isAsked.getAndSet(false) && now - nextPollNanos < 0 && !isWorthwhile(plan, load)) {
            loop.asksNothing(contact);
            return Duration.ofNanos(Math.min(nextPollNanos - now, hints.nanosLeft(now)));
        }
        claim(plan);
        return Duration.ZERO;
    }

    /** A hinted queue is one that may give all that is asked of it. */
    private void takeHints() {
        Set<String> hungrier = hints.take();
        hungrier.addAll(hungry);
        hungry = Set.copyOf(hungrier);
    }

    /** Whether a claim by this plan will most likely bring what is needed now. */
    private boolean isWorthwhile(ClaimPlan plan, BufferLoad load) {
        if (seeksLost && plan.lostRoom() > 0) {
            return true;
        }
        return load.lanes().entrySet().stream()
                .anyMatch(lane -> plan.room().containsKey(lane.getKey())
                        && hungry.contains(lane.getKey())
                        && lane.getValue().isLow());
    }

    private void claim(ClaimPlan plan) {
        takeHints();
        boolean afresh = isAfresh.getAndSet(false) || mayFindIdle();
        boolean isConclusive = afresh && plan.looksEverywhere() && leases.isEmpty();
        boolean evenly = fairShare.nextIsEven(!hungry.isEmpty());
        long number = idleWatch.claimBegins();
        Moment sentAt = Moment.now();
        Claim claim = send(plan, afresh, evenly);
        accept(claim, sentAt);
        if (evenly && !claim.tasks().isEmpty()) {
            // It asked less of each priority than there was room for: what came says nothing of what is there.
            seeksLost |= hasLost(claim);
            return;
        }
        learn(plan, claim);
        if (isConclusive && claim.tasks().isEmpty() && claim.orphans().isEmpty()) {
            idleWatch.foundIdle(number);
        }
    }

    private Claim send(ClaimPlan plan, boolean afresh, boolean evenly) {
        boolean isAnswered = false;
        try {
            Claim claim = store.claim(new ClaimRequest(
                    events.worker(),
                    plan.types(),
                    plan.room(),
                    plan.lostRoom(),
                    config.leaseDuration(),
                    afresh,
                    evenly));
            isAnswered = true;
            return claim;
        } finally {
            if (!isAnswered) {
                isAfresh.set(true);
                isAsked.set(true);
            }
        }
    }

    /** Whoever waits for idleness must not be told so because of a hint; but while much comes, hints save work. */
    private boolean mayFindIdle() {
        return hungry.isEmpty() && idleWatch.isAwaited();
    }

    private void accept(Claim claim, Moment sentAt) {
        if (!claim.tasks().isEmpty()) {
            Duration took = Moment.now().since(sentAt);
            List<HeldAttempt> opened = leases.open(claim, sentAt, sentAt.plus(config.leaseDuration()));
            events.publish(new TasksClaimed(events.worker(), opened.size(), took));
            completer.release(buffer.add(opened));
        }
        if (!claim.orphans().isEmpty()) {
            events.publish(new OrphansRemoved(events.worker(), claim.orphans()));
        }
    }

    private void learn(ClaimPlan plan, Claim claim) {
        long now = System.nanoTime();
        boolean hasLooked = plan.lostRoom() > 0;
        boolean foundLost = hasLost(claim);
        seeksLost = hasLooked ? foundLost : seeksLost;
        planner.claimed(plan, foundLost, now);
        batch.claimed(plan.total(), claim.tasks().size());
        hungry = hungryAfter(plan, claim.tasks());
        hints.answered(!claim.tasks().isEmpty(), claim.nextDueIn(), now);
        Duration wait = poll.after(claim.tasks().size(), claim.nextDueIn(), idleWatch.isAwaited());
        if (!claim.orphans().isEmpty()) {
            // They took the room of tasks, and are gone now.
            wait = Duration.ZERO;
        }
        nextPollNanos = now + wait.toNanos();
    }

    private static boolean hasLost(Claim claim) {
        return claim.tasks().stream().anyMatch(task -> task.losses() > 0);
    }

    /** The queues that gave all that was asked of them, and those that were not asked but did so before. */
    private Set<String> hungryAfter(ClaimPlan plan, List<ClaimedTask> tasks) {
        Set<String> stillHungry = new HashSet<>(hungry);
        plan.room().forEach((queue, asked) -> {
            long came = tasks.stream()
                    .filter(task -> task.losses() == 0 && task.queue().equals(queue))
                    .count();
            if (came >= asked) {
                stillHungry.add(queue);
            } else {
                stillHungry.remove(queue);
            }
        });
        return Set.copyOf(stillHungry);
    }
}
