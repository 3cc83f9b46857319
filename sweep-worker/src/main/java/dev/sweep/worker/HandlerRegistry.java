package dev.sweep.worker;

import dev.sweep.RetryPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handlers of a worker by every name of their types, with what was set for each type. Immutable. */
final class HandlerRegistry {

    private final Map<String, RegisteredHandler<?>> handlers;
    private final Map<String, TypeSettings> settings;
    private final RetryPolicy defaultRetryPolicy;

    /** @param handlers by the names of their types; no two share a name or an alias */
    HandlerRegistry(
            Map<String, RegisteredHandler<?>> handlers,
            Map<String, TypeSettings> settings,
            RetryPolicy defaultRetryPolicy) {
        this.handlers = byEveryName(handlers, handlers);
        this.settings = byEveryName(handlers, settings);
        this.defaultRetryPolicy = defaultRetryPolicy;
    }

    /** The names of types under which it can run tasks, aliases included. */
    Set<String> types() {
        return handlers.keySet();
    }

    boolean hasTransactional() {
        return handlers.values().stream().anyMatch(RegisteredHandler.Transactional.class::isInstance);
    }

    /** The handler of a type; a claim brings registered types only. */
    RegisteredHandler<?> handlerOf(String type) {
        RegisteredHandler<?> handler = handlers.get(type);
        if (handler == null) {
            throw new IllegalStateException("the store handed out a task of type " + type
                    + ", which was not claimed; registered are " + handlers.keySet());
        }
        return handler;
    }

    /** How many tasks of a type run together. */
    int batchSizeOf(String type) {
        return handlerOf(type).batchSize();
    }

    RetryPolicy retryPolicyOf(String type) {
        return settingsOf(type).retryPolicy().orElse(defaultRetryPolicy);
    }

    Optional<Duration> timeoutOf(String type) {
        return settingsOf(type).timeout();
    }

    /** How many attempts of a type may run at once in this process; empty: as many as there are slots. */
    OptionalInt concurrencyOf(String type) {
        return settingsOf(type).concurrency();
    }

    /** The shortest timeout of any type; empty if none has one. */
    Optional<Duration> shortestTimeout() {
        return settings.values().stream()
                .flatMap(each -> each.timeout().stream())
                .min(Duration::compareTo);
    }

    private TypeSettings settingsOf(String type) {
        return settings.getOrDefault(type, TypeSettings.NONE);
    }

    /** What is there for a type is there for its aliases too. */
    private static <V> Map<String, V> byEveryName(Map<String, RegisteredHandler<?>> handlers, Map<String, V> byName) {
        Map<String, V> byEveryName = new HashMap<>(byName);
        byName.forEach((name, value) -> {
            @Nullable RegisteredHandler<?> handler = handlers.get(name);
            if (handler != null) {
                handler.type().aliases().forEach(alias -> byEveryName.put(alias, value));
            }
        });
        return Map.copyOf(byEveryName);
    }
}
