package dev.sweep.jmh;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.TaskType;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A process with a small heap that enqueues what a stream brings. Argument: how many tasks the
 * stream has.
 */
final class BoundedProducer {

    private static final TaskType<Json> TYPE = TaskType.json(Seed.TYPE);
    private static final int ROUNDS = 10;

    private BoundedProducer() {}

    public static void main(String[] arguments) {
        long tasks = Long.parseLong(arguments[0]);
        HeapSamples heap = new HeapSamples();
        AtomicLong enqueued = new AtomicLong();
        try (ParentsInstallation parents = ParentsInstallation.open()) {
            parents.sweep().enqueueStream(streamOf(tasks), stored -> {
                if (enqueued.addAndGet(stored.size()) % (tasks / ROUNDS) == 0) {
                    heap.take(enqueued + " tasks enqueued");
                }
            });
        }
        heap.requireFlat();
    }

    private static Stream<NewTask<Json>> streamOf(long tasks) {
        return LongStream.range(0, tasks)
                .mapToObj(n -> TYPE.with(Json.of("{\"order\": " + n + ", \"text\": \"" + "x".repeat(80) + "\"}")));
    }
}
