package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEventListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Keeps all events, and lets a test wait for the first of a kind. */
final class EventLog implements TaskEventListener {

    private final List<TaskEvent> events = new ArrayList<>();

    @Override
    public synchronized void onEvent(TaskEvent event) {
        events.add(event);
        notifyAll();
    }

    synchronized <E extends TaskEvent> List<E> all(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The first event of this kind, which may have come already. */
    synchronized <E extends TaskEvent> E awaitFirst(Class<E> kind, Duration deadline) throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        while (all(kind).isEmpty()) {
            long millisLeft = Duration.ofNanos(end - System.nanoTime()).toMillis();
            assertThat(millisLeft)
                    .as("milliseconds left to wait for " + kind.getSimpleName())
                    .isPositive();
            wait(millisLeft);
        }
        return all(kind).get(0);
    }
}
