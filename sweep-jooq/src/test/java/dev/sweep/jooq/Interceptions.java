package dev.sweep.jooq;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections on which something happens when a method is called. */
final class Interceptions {

    private Interceptions() {}

    /** What happens. */
    @FunctionalInterface
    interface Event {
        void on(Connection connection) throws Exception;
    }

    /** The connections of a source, on which something happens before this method. */
    static DataSource beforeEach(DataSource source, String method, Event event) {
        return connections(
                source,
                real -> intercepted(Connection.class, (call, arguments) -> {
                    if (call.getName().equals(method)) {
                        event.on(real);
                    }
                    return call.invoke(real, arguments);
                }));
    }

    /** The connections of a source, on which something happens after this method. */
    static DataSource afterEach(DataSource source, String method, Event event) {
        return connections(
                source,
                real -> intercepted(Connection.class, (call, arguments) -> {
                    Object answer = call.invoke(real, arguments);
                    if (call.getName().equals(method)) {
                        event.on(real);
                    }
                    return answer;
                }));
    }

    /** What becomes of a connection before it is given out. */
    @FunctionalInterface
    interface Change {
        Connection of(Connection connection) throws Exception;
    }

    static DataSource connections(DataSource source, Change change) {
        return intercepted(DataSource.class, (call, arguments) -> {
            Object answer = call.invoke(source, arguments);
            return answer instanceof Connection connection ? change.of(connection) : answer;
        });
    }

    /** One connection that is handed out again and again, and that closing leaves open: the least of all pools. */
    static DataSource always(Connection one) {
        Connection unclosed = intercepted(
                Connection.class,
                (call, arguments) -> call.getName().equals("close") ? null : call.invoke(one, arguments));
        return intercepted(
                DataSource.class, (call, arguments) -> call.getName().equals("getConnection") ? unclosed : false);
    }

    private static <T> T intercepted(Class<T> type, Interception interception) {
        return type.cast(Proxy.newProxyInstance(
                Interceptions.class.getClassLoader(), new Class<?>[] {type}, (proxy, call, arguments) -> {
                    try {
                        return interception.invoke(call, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    @FunctionalInterface
    private interface Interception {
        @Nullable
        Object invoke(Method call, @Nullable Object[] arguments) throws Exception;
    }
}
