package dev.sweep.testing;

import dev.sweep.TaskId;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** One claim of the {@link InMemoryTaskStore} and the attempts it still holds. The store's lock guards it. */
final class HeldLease {

    private final String worker;
    private final SortedMap<TaskId, StoredTask> held = new TreeMap<>();
    private Instant until;

    HeldLease(String worker, Instant until) {
        this.worker = worker;
        this.until = until;
    }

    void extend(Instant newUntil) {
        until = newUntil;
    }

    boolean hasLapsed(Instant now) {
        return !until.isAfter(now);
    }

    String worker() {
        return worker;
    }

    SortedMap<TaskId, StoredTask> held() {
        return held;
    }
}
