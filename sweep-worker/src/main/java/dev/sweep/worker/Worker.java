package dev.sweep.worker;

import dev.sweep.Sweep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * API: claims tasks from a store and runs their handlers, until it is closed. Any number of workers in any number of
 * processes may share a store. Thread-safe.
 *
 * <p>A worker starts once and can't be started again. All its threads are daemons: keep the application alive yourself.
 * Close it before its {@link Sweep}, which it does not close.
 */
public final class Worker implements AutoCloseable {

    /** How much longer than the stop timeout the engine may take to stop. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(2);

    private enum State {
        NEW,
        STARTING,
        STARTED,
        CLOSED
    }

    private final Sweep sweep;
    private final Engine engine;
    private final EventPublisher events;
    private final Duration stopTimeout;
    private final @Nullable ShutdownHook shutdownHook;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Object lifecycle = new Object();
    private State state = State.NEW;

    Worker(Sweep sweep, WorkerConfig config, HandlerRegistry handlers, EventPublisher events) {
        this.sweep = sweep;
        this.events = events;
        this.stopTimeout = config.stopTimeout();
        this.engine = new Engine(sweep, config, handlers, events);
        this.shutdownHook = config.closesOnShutdown() ? new ShutdownHook(this) : null;
    }

    /** A worker on the store of {@code sweep}. */
    public static WorkerBuilder builder(Sweep sweep) {
        return new WorkerBuilder(sweep);
    }

    /** Its name, unique per start: it tells leases of different processes apart. */
    public String name() {
        return events.worker();
    }

    /**
     * Checks the store, then starts claiming; one round trip. If the check fails, nothing was started, and it may be
     * tried again.
     *
     * @throws dev.sweep.SchemaException if the schema is missing or doesn't fit; the message says what to do
     * @throws dev.sweep.StoreUnavailableException if the store can't be reached
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        move(State.NEW, State.STARTING);
        boolean isVerified = false;
        try {
            sweep.store().verify();
            isVerified = true;
        } finally {
            if (!isVerified) {
                moveBack();
            }
        }
        synchronized (lifecycle) {
            move(State.STARTING, State.STARTED);
            if (shutdownHook != null) {
                shutdownHook.add();
            }
            engine.start();
        }
    }

    /**
     * Waits until there is nothing to do: a claim that began after this call came back empty for every queue, and nothing
     * was buffered, running or not yet durable in this process while it looked. Tasks that are due later, and those that
     * other processes run, do not count.
     *
     * @return false if the time passed first, or the worker does not claim any more
     * @throws IllegalStateException if it was not started
     */
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        synchronized (lifecycle) {
            if (state == State.NEW || state == State.STARTING) {
                throw new IllegalStateException("worker " + name() + " was not started; call start() first");
            }
        }
        return engine.awaitIdle(atMost);
    }

    /** What it knows about itself now; no round trip. */
    public WorkerHealth health() {
        @Nullable String fault = lifecycleFault();
        return engine.health(fault == null ? List.of() : List.of(fault));
    }

    /**
     * Stops: claims no more, hands back what has not started, waits for what runs (the stop timeout), interrupts it, makes
     * all outcomes durable, and only then ends its heartbeat. Returns within the stop timeout and two seconds, whatever
     * the store and the handlers do; what has not ended by then is abandoned to the lapse of its lease.
     *
     * <p>May be called at any time, repeatedly and by several threads, also before the start. Called by a handler, or by
     * a listener on an engine thread, it returns at once and the worker stops behind it.
     */
    @Override
    public void close() {
        beginClose();
        if (!engine.runsOn(Thread.currentThread())) {
            awaitStopped();
        }
    }

    /** The engine bounds its stop itself; waiting no longer than that is a second line of defence. */
    @SuppressWarnings("ResultOfMethodCallIgnored")
    private void awaitStopped() {
        try {
            stopped.await(stopTimeout.plus(STOP_MARGIN).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void beginClose() {
        synchronized (lifecycle) {
            State before = state;
            state = State.CLOSED;
            if (before == State.NEW || before == State.STARTING) {
                stopped.countDown();
            }
            if (before == State.STARTED) {
                Thread stopper = new Thread(this::stop, "sweep-stop-" + name());
                stopper.setDaemon(true);
                stopper.start();
            }
        }
    }

    private void stop() {
        try {
            engine.stop();
        } finally {
            if (shutdownHook != null) {
                shutdownHook.remove();
            }
            stopped.countDown();
        }
    }

    private void move(State from, State to) {
        synchronized (lifecycle) {
            if (state != from) {
                throw new IllegalStateException("worker " + name() + " was "
                        + (state == State.CLOSED ? "closed" : "started") + " before; build a new one");
            }
            state = to;
        }
    }

    private void moveBack() {
        synchronized (lifecycle) {
            if (state == State.STARTING) {
                state = State.NEW;
            }
        }
    }

    private @Nullable String lifecycleFault() {
        synchronized (lifecycle) {
            return switch (state) {
                case NEW, STARTING -> "it was not started";
                case STARTED -> null;
                case CLOSED -> "it was closed";
            };
        }
    }
}
