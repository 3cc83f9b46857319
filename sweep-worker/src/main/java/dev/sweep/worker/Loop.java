package dev.sweep.worker;

import dev.sweep.event.TaskEvent.LoopFailed;
import dev.sweep.event.TaskEvent.LoopRecovered;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs one duty again and again on a daemon thread of its own, whatever the duty throws, until it is stopped. An outage is
 * told once when it begins and once when it ends.
 */
final class Loop {

    /** One round of a duty. */
    @FunctionalInterface
    interface Turn {

        /** Does what there is to do and says how long to wait for the next turn, unless woken before. */
        Duration run() throws Exception;
    }

    /** A turn that takes longer hangs, most likely in a call to the store. */
    private static final Duration LONGEST_TURN = Duration.ofSeconds(30);

    private final String name;
    private final Pace pace;
    private final EventPublisher events;
    private final Turn turn;
    private final Signal signal = new Signal();
    private final Signal stopSignal = new Signal();
    private final Thread thread;
    private volatile boolean isStopping;
    private volatile long lastSuccessNanos = System.nanoTime();
    private volatile long turnBeganNanos;
    private volatile boolean isInTurn;
    private volatile @Nullable Throwable fault;
    private int faults;
    private Moment lastFaultAt = Moment.now();
    /** Of the turn under way: it says nothing about whether the outage is over. */
    private boolean isUntold;

    Loop(String name, Pace pace, EventPublisher events, Turn turn) {
        this.name = name;
        this.pace = pace;
        this.events = events;
        this.turn = turn;
        this.thread = new Thread(this::run, "sweep-" + name + "-" + events.worker());
        thread.setDaemon(true);
    }

    void start() {
        lastSuccessNanos = System.nanoTime();
        thread.start();
    }

    /** Ends the wait for the next turn, but not the wait after a fault: an outage is not hammered. */
    void wake() {
        signal.wake();
    }

    /** Ends any wait, also the one after a fault. */
    void hurry() {
        signal.wake();
        stopSignal.wake();
    }

    /** No turn begins from here on. */
    void stop() {
        isStopping = true;
        hurry();
    }

    boolean isStopping() {
        return isStopping;
    }

    /**
     * Called by a turn that has nothing to ask of the store: an outage that it met before is over only if a beat has been
     * answered since.
     */
    void asksNothing(Contact contact) {
        isUntold = !contact.wasMadeSince(lastFaultAt);
    }

    /** Waits for the end of the last turn; one that hangs past the deadline is interrupted and left behind. */
    boolean join(Deadline deadline) {
        if (Thread.currentThread() == thread || Joining.join(thread, deadline)) {
            return true;
        }
        thread.interrupt();
        return false;
    }

    LoopHealth health() {
        Duration sinceLastSuccess = Duration.ofNanos(System.nanoTime() - lastSuccessNanos);
        return new LoopHealth(name, sinceLastSuccess, faultNow());
    }

    boolean runsOn(Thread other) {
        return thread == other;
    }

    private Optional<String> faultNow() {
        Duration turnTook = Duration.ofNanos(System.nanoTime() - turnBeganNanos);
        if (isInTurn && turnTook.compareTo(LONGEST_TURN) > 0) {
            return Optional.of("its turn has been under way for " + turnTook.toSeconds() + " s");
        }
        return Optional.ofNullable(fault).map(ErrorText::oneLine);
    }

    private void run() {
        while (!isStopping) {
            pause(oneTurn());
        }
    }

    private Duration oneTurn() {
        turnBeganNanos = System.nanoTime();
        isInTurn = true;
        isUntold = false;
        try {
            Duration wait = turn.run();
            if (isUntold && faults > 0) {
                return pace.delayAfter(faults);
            }
            succeeded();
            return wait;
        } catch (Throwable thrown) {
            return failed(thrown);
        } finally {
            isInTurn = false;
        }
    }

    private void succeeded() {
        lastSuccessNanos = System.nanoTime();
        if (faults > 0) {
            faults = 0;
            fault = null;
            events.publish(new LoopRecovered(events.worker(), name));
        }
    }

    private Duration failed(Throwable thrown) {
        Duration retryIn = pace.delayAfter(++faults);
        lastFaultAt = Moment.now();
        fault = thrown;
        if (faults == 1) {
            events.publish(new LoopFailed(events.worker(), name, retryIn, thrown));
        }
        return retryIn;
    }

    private void pause(Duration wait) {
        try {
            (faults > 0 ? stopSignal : signal).await(wait);
        } catch (InterruptedException stray) {
            // Only join() interrupts, and by then isStopping is set; anything else must not end the loop.
            Thread.interrupted();
        }
    }
}
