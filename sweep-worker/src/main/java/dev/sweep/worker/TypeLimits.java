package dev.sweep.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types that have a limit of their own, which their aliases share. Guarded by the lock of the {@link TaskBuffer}. */
final class TypeLimits {

    private final Map<String, TypeLimit> limits = new HashMap<>();

    TypeLimits(HandlerRegistry handlers) {
        Map<String, TypeLimit> byType = new HashMap<>();
        for (String name : handlers.types()) {
            RegisteredHandler<?> handler = handlers.handlerOf(name);
            handlers.concurrencyOf(name)
                    .ifPresent(concurrency -> limits.put(
                            name,
                            byType.computeIfAbsent(
                                    handler.type().name(), type -> new TypeLimit(concurrency, handler.batchSize()))));
        }
    }

    boolean mayStart(String type) {
        @Nullable TypeLimit limit = limits.get(type);
        return limit == null || limit.mayStart();
    }

    /** Whether a task that has just been claimed is kept: not if it would wait for long. */
    boolean hasRoom(HeldAttempt held) {
        @Nullable TypeLimit limit = limitOf(held);
        return limit == null || limit.hasRoom();
    }

    void entered(HeldAttempt held) {
        @Nullable TypeLimit limit = limitOf(held);
        if (limit != null) {
            limit.entered();
        }
    }

    void left(HeldAttempt held) {
        @Nullable TypeLimit limit = limitOf(held);
        if (limit != null) {
            limit.left();
        }
    }

    void started(List<HeldAttempt> share) {
        @Nullable TypeLimit limit = limitOf(share.get(0));
        if (limit != null) {
            limit.started(share.size());
        }
    }

    /** True if the type has a limit, so that tasks of it may start now that could not before. */
    boolean ended(List<HeldAttempt> share, Duration took) {
        @Nullable TypeLimit limit = limitOf(share.get(0));
        if (limit != null) {
            limit.ended(took);
        }
        return limit != null;
    }

    /** Types of which no more need come now. */
    Set<String> reached() {
        Set<String> reached = new HashSet<>();
        limits.forEach((type, limit) -> {
            if (limit.isReached()) {
                reached.add(type);
            }
        });
        return reached;
    }

    private @Nullable TypeLimit limitOf(HeldAttempt held) {
        return limits.get(held.task().type());
    }
}
