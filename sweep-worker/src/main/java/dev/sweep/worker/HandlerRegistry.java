package dev.sweep.worker;

import dev.sweep.Backoff;
import java.util.Map;
import java.util.Set;

/** The handlers of a worker by type name, with the backoff of each type. Immutable. */
final class HandlerRegistry {

    private final Map<String, RegisteredHandler<?>> handlers;
    private final Map<String, Backoff> backoffs;
    private final Backoff defaultBackoff;

    HandlerRegistry(Map<String, RegisteredHandler<?>> handlers, Map<String, Backoff> backoffs, Backoff defaultBackoff) {
        this.handlers = Map.copyOf(handlers);
        this.backoffs = Map.copyOf(backoffs);
        this.defaultBackoff = defaultBackoff;
    }

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

    Backoff backoffOf(String type) {
        return backoffs.getOrDefault(type, defaultBackoff);
    }
}
