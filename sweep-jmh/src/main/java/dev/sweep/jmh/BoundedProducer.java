package dev.sweep.jmh;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.TaskType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A process with a small heap that enqueues what a stream brings, a thousand tasks at a time. Argument: how many tasks the
 * stream has.
 */
final class BoundedProducer {

    private static final TaskType<Json> TYPE = TaskType.json(Seed.TYPE);
    private static final int LOT = 1_000;
    private static final int ROUNDS = 10;

    private BoundedProducer() {}

    public static void main(String[] arguments) {
        long tasks = Long.parseLong(arguments[0]);
        HeapSamples heap = new HeapSamples();
        Iterator<NewTask<Json>> stream = streamOf(tasks).iterator();
        long enqueued = 0;
        try (ParentsInstallation parents = ParentsInstallation.open()) {
            while (stream.hasNext()) {
                List<NewTask<Json>> lot = next(stream);
                enqueued += parents.sweep().enqueueAll(lot).size();
                if (enqueued % (tasks / ROUNDS) == 0) {
                    heap.take(enqueued + " tasks enqueued");
                }
            }
        }
        heap.requireFlat();
    }

    private static Stream<NewTask<Json>> streamOf(long tasks) {
        return LongStream.range(0, tasks)
                .mapToObj(n -> TYPE.with(Json.of("{\"order\": " + n + ", \"text\": \"" + "x".repeat(80) + "\"}")));
    }

    private static <T> List<T> next(Iterator<T> stream) {
        List<T> lot = new ArrayList<>(LOT);
        while (lot.size() < LOT && stream.hasNext()) {
            lot.add(stream.next());
        }
        return lot;
    }
}
