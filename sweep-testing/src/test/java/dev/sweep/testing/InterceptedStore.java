package dev.sweep.testing;

import dev.sweep.spi.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/** A store whose calls a test looks at, holds up or lets fail before they reach the real one. */
final class InterceptedStore {

    private InterceptedStore() {}

    /** What happens at each call. */
    @FunctionalInterface
    interface Interceptor {

        /** What it throws, the caller of the store gets, and the store does not see the call. */
        void before(String method, List<Object> arguments) throws Exception;
    }

    static TaskStore of(TaskStore store, Interceptor interceptor) {
        return (TaskStore) Proxy.newProxyInstance(
                InterceptedStore.class.getClassLoader(),
                new Class<?>[] {TaskStore.class},
                (proxy, method, arguments) -> {
                    interceptor.before(method.getName(), arguments == null ? List.of() : List.of(arguments));
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
