package dev.sweep.worker;

import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEventListener;
import java.util.List;

/** Tells every listener, and lets none of them harm the engine. */
final class EventPublisher {

    private final String worker;
    private final List<TaskEventListener> listeners;

    EventPublisher(String worker, List<TaskEventListener> listeners) {
        this.worker = worker;
        this.listeners = List.copyOf(listeners);
    }

    /** The worker's name, unique per start. */
    String worker() {
        return worker;
    }

    void publish(TaskEvent event) {
        for (TaskEventListener listener : listeners) {
            tell(listener, event);
        }
    }

    @SuppressWarnings("EmptyCatch")
    private static void tell(TaskEventListener listener, TaskEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable dropped) {
            // As the SPI says: a listener that throws misses this event, and nobody else does.
        }
    }
}
