package dev.sweep;

import java.util.List;

/**
 * API: what a worker says of itself, for people; nothing is decided by it.
 *
 * @param name unique per start
 * @param host where its process runs, as that names itself
 * @param pid of its process
 * @param version of Sweep
 * @param slots how many attempts it runs at once
 * @param listening how it hears of new tasks: {@code listening}, {@code connecting}, {@code polling} if wake-ups are off,
 *     {@code deaf} if it listens and hears nothing, most likely because of a pooler
 * @param queues whose tasks it runs
 * @param types that it runs
 */
public record WorkerPresence(
        String name,
        String host,
        long pid,
        String version,
        int slots,
        String listening,
        List<String> queues,
        List<String> types) {

    public WorkerPresence {
        queues = List.copyOf(queues);
        types = List.copyOf(types);
    }
}
