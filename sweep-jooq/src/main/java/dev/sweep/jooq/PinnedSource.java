package dev.sweep.jooq;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives one connection, again and again, to someone who sets up sessions and works in several transactions; all of it
 * happens in the one transaction of its owner. Behind a pooler that is the only way to one server session.
 */
final class PinnedSource implements InvocationHandler {

    private final Connection connection;
    private boolean autoCommit = true;

    private PinnedSource(Connection connection) {
        this.connection = connection;
    }

    static DataSource on(Connection connection) {
        PinnedSource pinned = new PinnedSource(connection);
        Connection shown = (Connection) proxy(Connection.class, pinned);
        return (DataSource) proxy(DataSource.class, (self, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return shown;
            }
            throw new UnsupportedOperationException(method.getName());
        });
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(PinnedSource.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "getAutoCommit" -> autoCommit;
            case "setAutoCommit" -> {
                autoCommit = arguments != null && Boolean.TRUE.equals(arguments[0]);
                yield null;
            }
            case "commit", "close", "setTransactionIsolation", "setReadOnly" -> null;
            default -> call(method, arguments);
        };
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }
}
