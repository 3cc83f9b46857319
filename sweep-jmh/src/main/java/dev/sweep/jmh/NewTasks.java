package dev.sweep.jmh;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.TaskType;
import dev.sweep.spi.TaskRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes tasks to be enqueued, with keys or without. Not thread-safe. */
final class NewTasks {

    private static final NewTask<Json> TASK = TaskType.json(Seed.TYPE).with(Json.of(Seed.PAYLOAD));
    private static final long SEED = 42;

    private final Keys keys;
    private final Random random = new Random(SEED);
    private long made;

    NewTasks(Keys keys) {
        this.keys = keys;
    }

    List<TaskRecord> next(int tasks) {
        List<TaskRecord> next = new ArrayList<>(tasks);
        for (int i = 0; i < tasks; i++) {
            next.add(next());
        }
        return next;
    }

    private TaskRecord next() {
        long n = made++;
        return switch (keys) {
            case NONE -> TaskRecord.of(TASK, Seed.PAYLOAD);
            case NEW -> withKey(n);
            case HALF_TAKEN -> withKey(n % 2 == 0 ? n : takenBefore(n));
        };
    }

    /** Even numbers below this odd one have been given out. */
    private long takenBefore(long n) {
        return random.nextLong(n) / 2 * 2;
    }

    private static TaskRecord withKey(long n) {
        return TaskRecord.of(TASK.dedupKey("order-" + n), Seed.PAYLOAD);
    }
}
