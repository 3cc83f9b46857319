package dev.sweep.testing;

import dev.sweep.DedupKey;
import dev.sweep.DedupScope;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which task owns which dedup key, judged by the scope its owner gave. The store's lock guards it. */
final class DedupKeys {

    private final Map<String, Owner> owners = new HashMap<>();

    /** The task that the key still protects at {@code now}; empty if the key is free. */
    Optional<StoredTask> owner(DedupKey key, Instant now) {
        @Nullable Owner owner = owners.get(key.value());
        return owner == null || owner.hasEnded(now) ? Optional.empty() : Optional.of(owner.task);
    }

    void take(DedupKey key, StoredTask task) {
        owners.put(key.value(), new Owner(task, key.scope(), task.createdAt()));
    }

    /** Passes the key on to the task that replaces its owner, with what is left of its protection; false if it has another owner. */
    boolean pass(DedupKey key, StoredTask from, StoredTask to) {
        @Nullable Owner owner = owners.get(key.value());
        if (owner == null || owner.task != from) {
            return false;
        }
        owners.put(key.value(), new Owner(to, owner.scope, owner.since));
        return true;
    }

    /** Frees the key of a task that is gone, unless it has another owner. */
    void release(DedupKey key, StoredTask task) {
        @Nullable Owner owner = owners.get(key.value());
        if (owner != null && owner.task == task) {
            owners.remove(key.value());
        }
    }

    private record Owner(StoredTask task, DedupScope scope, Instant since) {

        boolean hasEnded(Instant now) {
            if (scope instanceof DedupScope.Window window) {
                return !now.isBefore(since.plus(window.length()));
            }
            return scope instanceof DedupScope.UntilFinished && task.status().isFinal();
        }
    }
}
