package dev.sweep.worker;

import dev.sweep.WorkerPresence;
import dev.sweep.spi.PresenceStore;
import dev.sweep.spi.TaskStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows people that this worker runs. Nothing depends on it, so what goes wrong here is dropped. */
final class PresenceKeeper {

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    /** By then it is known whether wake-ups arrive. */
    private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

    private static final Pace NEVER_NEEDED = new Pace(INTERVAL, INTERVAL);

    private final @Nullable PresenceStore store;
    private final WorkerConfig config;
    private final List<String> types;
    private final WakeUpListener listener;
    private final EventPublisher events;
    private final Loop loop;
    private volatile boolean isLeaving;
    private boolean isKnown;

    PresenceKeeper(
            TaskStore store,
            WorkerConfig config,
            HandlerRegistry handlers,
            WakeUpListener listener,
            EventPublisher events) {
        this.store = store instanceof PresenceStore presences ? presences : null;
        this.config = config;
        this.types = handlers.types().stream().sorted().toList();
        this.listener = listener;
        this.events = events;
        this.loop = new Loop("presence", NEVER_NEEDED, events, this::turn);
    }

    Loop loop() {
        return loop;
    }

    /** Writes the end, on its own thread, and then ends. */
    void leave() {
        isLeaving = true;
        loop.hurry();
    }

    private Duration turn() {
        if (store == null || isLeaving) {
            if (store != null && isKnown) {
                quietly(() -> store.stopped(events.worker()));
            }
            loop.stop();
            return Duration.ZERO;
        }
        boolean isFirst = !isKnown;
        isKnown = true;
        quietly(() -> store.present(presence()));
        return isFirst ? SECOND_LOOK : Pace.jittered(INTERVAL);
    }

    @SuppressWarnings("EmptyCatch")
    private static void quietly(Runnable write) {
        try {
            write.run();
        } catch (RuntimeException dropped) {
            // The heartbeat meets it too, and tells.
        }
    }

    private WorkerPresence presence() {
        int slots = config.slots().values().stream().mapToInt(Integer::intValue).sum();
        String version = PresenceKeeper.class.getPackage().getImplementationVersion();
        return new WorkerPresence(
                events.worker(),
                host(),
                ProcessHandle.current().pid(),
                version == null ? "built from source" : version,
                slots,
                listening(),
                List.copyOf(config.slots().keySet()),
                types);
    }

    private String listening() {
        return switch (listener.state()) {
            case OFF -> "polling";
            case CONNECTING -> "connecting";
            case ARRIVING -> "listening";
            case NOT_ARRIVING -> "deaf";
        };
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }
}
