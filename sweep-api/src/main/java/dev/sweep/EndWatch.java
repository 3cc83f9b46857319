package dev.sweep;

import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.util.Optional;

/** Looks at one task, less and less often, until it has ended. */
final class EndWatch {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final TaskStore store;

    EndWatch(TaskStore store) {
        this.store = store;
    }

    Optional<Task> await(TaskId id, Duration timeout) throws InterruptedException {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Optional<Task> ended = store.find(id).filter(task -> task.status().isFinal());
            Duration left = timeout.minusNanos(System.nanoTime() - start);
            if (ended.isPresent() || left.isNegative() || left.isZero()) {
                return ended;
            }
            Pauses.pause(shorter(pause, left));
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
