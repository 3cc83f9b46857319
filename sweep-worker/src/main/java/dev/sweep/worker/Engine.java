package dev.sweep.worker;

import dev.sweep.Sweep;
import dev.sweep.event.TaskEvent.ConnectionsScarce;
import dev.sweep.event.TaskEvent.WorkerDown;
import dev.sweep.event.TaskEvent.WorkerStarted;
import dev.sweep.event.TaskEvent.WorkerStopped;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.TransactionalStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The parts of a running worker: wires them, starts them in order, and stops them in order within a bounded time. */
final class Engine {

    /** After the stop timeout: for interrupted handlers to end. */
    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(1);
    /** After that: for the last flush, and for the loops to end. */
    private static final Duration FLUSH_GRACE = Duration.ofMillis(500);

    /** For the listener, whose wait ends at once; it may still hang in a call for a connection, and has nothing to lose. */
    private static final Duration LISTENER_GRACE = Duration.ofMillis(400);

    private final TaskStore store;
    private final WorkerConfig config;
    private final HandlerRegistry handlers;
    private final EventPublisher events;
    private final HeldLeases leases = new HeldLeases(this::lostGone);
    private final IdleWatch idleWatch = new IdleWatch();
    private final Completer completer;
    private final Claimer claimer;
    private final LeaseKeeper leaseKeeper;
    private final LeaseWatch leaseWatch;
    private final Reclaimer reclaimer;
    private final WakeUpListener listener;
    private final PresenceKeeper presence;
    private final TimeoutWatch timeoutWatch;
    private final Slots slots;
    /** Without these it does not work; polling stands in for the listener. */
    private final List<Loop> loops;

    private volatile @Nullable VirtualMachineError fatalError;

    Engine(Sweep sweep, WorkerConfig config, HandlerRegistry handlers, EventPublisher events) {
        this.config = config;
        this.handlers = handlers;
        this.events = events;
        store = sweep.store();
        RetryRule retryRule = new RetryRule(handlers, new Random());
        Contact contact = new Contact(config.leaseDuration());
        completer = new Completer(store, retryRule, leases, contact, events);
        claimer = new Claimer(store, config, handlers, leases, completer, idleWatch, contact, events);
        leaseKeeper = new LeaseKeeper(store, config, leases, claimer.buffer(), contact, events);
        leaseWatch = new LeaseWatch(config, leases, claimer.buffer(), completer, events);
        reclaimer = new Reclaimer(store, config, claimer, contact, events);
        listener = new WakeUpListener(store, claimer, leaseKeeper, events);
        presence = new PresenceKeeper(store, config, handlers, listener, events);
        Judge judge = new Judge(sweep, retryRule, events);
        AttemptRunner runner = new AttemptRunner(sweep, handlers, judge, events, this::goDown);
        slots = new Slots(config.slots(), events.worker(), claimer.buffer(), runner, completer);
        timeoutWatch = new TimeoutWatch(handlers, slots, judge, completer, events);
        loops = List.of(
                completer.loop(),
                leaseKeeper.loop(),
                leaseWatch.loop(),
                timeoutWatch.loop(),
                reclaimer.loop(),
                claimer.loop());
    }

    void start() {
        events.publish(new WorkerStarted(
                events.worker(),
                List.copyOf(config.slots().keySet()),
                handlers.types().stream().sorted().toList()));
        tellIfConnectionsAreScarce();
        slots.start();
        loops.forEach(Loop::start);
        listener.loop().start();
        presence.loop().start();
    }

    private void tellIfConnectionsAreScarce() {
        int slotCount =
                config.slots().values().stream().mapToInt(Integer::intValue).sum();
        if (handlers.hasTransactional() && store instanceof TransactionalStore transactional) {
            transactional
                    .connectionBudget()
                    .filter(budget -> budget.transactions() < slotCount)
                    .ifPresent(budget -> events.publish(
                            new ConnectionsScarce(events.worker(), budget.total(), budget.kept() + slotCount)));
        }
    }

    private void lostGone() {
        claimer.lostGone();
    }

    boolean awaitIdle(Duration atMost) throws InterruptedException {
        return idleWatch.await(atMost, claimer::claimAfresh);
    }

    /** Whether the thread is one of the engine's own, which can't wait for the engine's end. */
    boolean runsOn(Thread thread) {
        return slots.runOn(thread)
                || listener.loop().runsOn(thread)
                || presence.loop().runsOn(thread)
                || loops.stream().anyMatch(loop -> loop.runsOn(thread));
    }

    /** Stops for good. Takes at most the stop timeout and two seconds, whatever the store and the handlers do. */
    void stop() {
        Deadline timeout = Deadline.in(config.stopTimeout());
        Deadline grace = timeout.plus(INTERRUPT_GRACE);
        Deadline end = grace.plus(FLUSH_GRACE);
        long releasedBefore = completer.released();
        stopClaiming();
        reclaimer.loop().stop();

        TaskBuffer buffer = claimer.buffer();
        if (!buffer.awaitNoneRunning(timeout)) {
            buffer.running().forEach(HeldAttempt::stop);
            buffer.awaitNoneRunning(grace);
        }
        // The claimer may have been waiting for an answer; what that brought has gone back once it has ended.
        claimer.loop().join(grace);
        completer.finish(end);
        completer.abandon();
        completer.loop().stop();
        completer.loop().join(end);
        timeoutWatch.loop().stop();
        // The heartbeat ends last: until here it kept what was still running or unflushed.
        listener.stop();
        presence.leave();
        leaseWatch.loop().stop();
        leaseKeeper.loop().stop();
        listener.loop().join(Deadline.in(LISTENER_GRACE));
        loops.forEach(loop -> loop.join(end));
        presence.loop().join(end);
        slots.join(end);
        buffer.running().forEach(HeldAttempt::abandon);
        long released = completer.released() - releasedBefore;
        int abandoned = buffer.running().size();
        events.publish(new WorkerStopped(events.worker(), (int) released, abandoned));
    }

    WorkerHealth health(List<String> lifecycleFaults) {
        BufferLoad load = claimer.buffer().load();
        List<LoopHealth> loopHealths =
                new ArrayList<>(loops.stream().map(Loop::health).toList());
        List<String> downReasons = new ArrayList<>(lifecycleFaults);
        if (lifecycleFaults.isEmpty()) {
            downReasons.addAll(faults(loopHealths));
        }
        loopHealths.add(listener.loop().health());
        return new WorkerHealth(
                events.worker(),
                downReasons,
                loopHealths,
                new WorkerHealth.Load(
                        load.buffered(), load.running(), slots.stuck(), completer.unflushed(), completer.refused()),
                leases.margin(Moment.now()),
                listener.state());
    }

    private List<String> faults(List<LoopHealth> loopHealths) {
        List<String> faults = new ArrayList<>();
        VirtualMachineError fatal = fatalError;
        if (fatal != null) {
            faults.add("it stopped claiming after " + ErrorText.oneLine(fatal) + "; start a new process");
        }
        config.slots().keySet().stream()
                .filter(slots::isBlocked)
                .forEach(queue -> faults.add("queue '" + queue + "' has no replacement left for handlers that ignore"
                        + " their timeout: mend them, or raise the number of slots"));
        for (LoopHealth loop : loopHealths) {
            loop.fault()
                    .ifPresent(fault -> faults.add("its " + loop.name() + " has not succeeded for "
                            + loop.sinceLastSuccess().toSeconds() + " s: " + fault));
        }
        return faults;
    }

    private void goDown(VirtualMachineError error) {
        boolean isFirst = fatalError == null;
        fatalError = error;
        stopClaiming();
        if (isFirst) {
            events.publish(new WorkerDown(events.worker(), error));
        }
    }

    private void stopClaiming() {
        idleWatch.close();
        claimer.loop().stop();
        completer.tellOfReleases();
        completer.release(claimer.buffer().close());
    }
}
