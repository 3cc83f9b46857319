package dev.sweep.cli.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one process of the bench is to do.
 *
 * @param contender its name
 * @param tasks how many to enqueue or to live through; a worker works until it is told to stop
 * @param batch how many one call enqueues; 1: singly, each its own commit
 * @param threads how many threads a producer or a loop of whole lives has; the concurrency of a worker, 0: its default
 * @param payloadBytes the size of a payload
 * @param isKeyed whether each task has a dedup key of its own
 * @param perSecond how many tasks a producer enqueues in a second; 0: as many as it can
 * @param isTimed whether a worker notes how old each payload is
 */
record Order(
        Role role,
        String contender,
        long tasks,
        int batch,
        int threads,
        int payloadBytes,
        boolean isKeyed,
        int perSecond,
        boolean isTimed) {

    /** What a process is. */
    enum Role {
        WORKER,
        PRODUCER,
        LIVES
    }

    static Order worker(String contender, int concurrency, boolean isTimed) {
        return new Order(Role.WORKER, contender, 0, 0, concurrency, 0, false, 0, isTimed);
    }

    static Order lives(String contender, long tasks, int batch, int threads, int payloadBytes) {
        return new Order(Role.LIVES, contender, tasks, batch, threads, payloadBytes, false, 0, false);
    }

    static Order producer(String contender, long tasks, int batch, int threads, int payloadBytes) {
        return new Order(Role.PRODUCER, contender, tasks, batch, threads, payloadBytes, false, 0, false);
    }

    Order keyed() {
        return new Order(role, contender, tasks, batch, threads, payloadBytes, true, perSecond, isTimed);
    }

    Order perSecond(int rate) {
        return new Order(role, contender, tasks, batch, threads, payloadBytes, isKeyed, rate, isTimed);
    }

    /** The words of a command line. */
    List<String> words() {
        return List.of(
                role.name(),
                contender,
                Long.toString(tasks),
                Integer.toString(batch),
                Integer.toString(threads),
                Integer.toString(payloadBytes),
                Boolean.toString(isKeyed),
                Integer.toString(perSecond),
                Boolean.toString(isTimed));
    }

    /** What {@link #words} says. */
    static Order of(String... words) {
        List<String> rest = new ArrayList<>(Arrays.asList(words));
        return new Order(
                Role.valueOf(rest.remove(0)),
                rest.remove(0),
                Long.parseLong(rest.remove(0)),
                Integer.parseInt(rest.remove(0)),
                Integer.parseInt(rest.remove(0)),
                Integer.parseInt(rest.remove(0)),
                Boolean.parseBoolean(rest.remove(0)),
                Integer.parseInt(rest.remove(0)),
                Boolean.parseBoolean(rest.remove(0)));
    }
}
