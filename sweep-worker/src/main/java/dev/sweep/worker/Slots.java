package dev.sweep.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The threads that run handlers, as many per queue as it has slots. */
final class Slots {

    private final List<Thread> threads = new ArrayList<>();

    Slots(Map<String, Integer> slots, String worker, TaskBuffer buffer, AttemptRunner runner, Completer completer) {
        slots.forEach((queue, count) -> {
            for (int i = 1; i <= count; i++) {
                Slot slot = new Slot(queue, worker, buffer, runner, completer);
                threads.add(HandlerThreads.unstarted("sweep-" + queue + "-" + i + "-" + worker, slot));
            }
        });
    }

    void start() {
        threads.forEach(Thread::start);
    }

    boolean runOn(Thread thread) {
        return threads.contains(thread);
    }

    /** Waits for the threads to end; a handler that does not end keeps its thread, which is a daemon. */
    void join(Deadline deadline) {
        threads.forEach(thread -> Joining.join(thread, deadline));
    }
}
