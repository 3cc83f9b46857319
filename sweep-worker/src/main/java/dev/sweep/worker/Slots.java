package dev.sweep.worker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The threads that run handlers, as many per queue as it has slots. A slot whose handler ignores its timeout is replaced, as
 * long as no more than as many handlers again do so. Thread-safe.
 */
final class Slots {

    private final Map<String, Integer> counts;
    private final String worker;
    private final TaskBuffer buffer;
    private final AttemptRunner runner;
    private final Completer completer;
    private final Map<Slot, Thread> threads = new HashMap<>();
    private final List<Slot> slots = new CopyOnWriteArrayList<>();
    private final List<Slot> replaced = new CopyOnWriteArrayList<>();
    private int started;

    Slots(Map<String, Integer> counts, String worker, TaskBuffer buffer, AttemptRunner runner, Completer completer) {
        this.counts = counts;
        this.worker = worker;
        this.buffer = buffer;
        this.runner = runner;
        this.completer = completer;
    }

    synchronized void start() {
        counts.forEach((queue, count) -> {
            for (int i = 0; i < count; i++) {
                startOne(queue);
            }
        });
    }

    /** Those that take tasks, or will when their handler returns. */
    List<Slot> slots() {
        return slots;
    }

    /** How many handlers run on although they timed out and were replaced. */
    int stuck() {
        return replaced.size();
    }

    /** Whether a queue has a slot whose handler ignores its timeout and that can't be replaced any more. */
    boolean isBlocked(String queue) {
        return isExhausted(queue)
                && slots.stream().anyMatch(slot -> slot.queue().equals(queue) && slot.isHanging());
    }

    private boolean isExhausted(String queue) {
        return replaced.stream().filter(slot -> slot.queue().equals(queue)).count() >= counts.getOrDefault(queue, 0);
    }

    /** Starts another slot in the place of one that still is in this run, unless too many hang already. */
    synchronized void replace(Slot slot, HandlerRun hanging) {
        if (!isExhausted(slot.queue()) && slot.replace(hanging)) {
            slots.remove(slot);
            replaced.add(slot);
            startOne(slot.queue());
        }
    }

    synchronized boolean runOn(Thread thread) {
        return threads.containsValue(thread);
    }

    /** Waits for the threads to end; a handler that hangs keeps its thread, which is a daemon. */
    void join(Deadline deadline) {
        threadsOfSlots().forEach(thread -> Joining.join(thread, deadline));
    }

    /** Without those of handlers that hang in the place of another one. */
    private synchronized List<Thread> threadsOfSlots() {
        return threads.entrySet().stream()
                .filter(entry -> slots.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private void startOne(String queue) {
        Slot slot = new Slot(queue, worker, buffer, runner, completer);
        Thread thread = HandlerThreads.unstarted("sweep-" + queue + "-" + ++started + "-" + worker, () -> {
            slot.run();
            ended(slot);
        });
        threads.put(slot, thread);
        slots.add(slot);
        thread.start();
    }

    private synchronized void ended(Slot slot) {
        threads.remove(slot);
        slots.remove(slot);
        replaced.remove(slot);
    }
}
