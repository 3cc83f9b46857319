package dev.sweep.it;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Stands between a store and its connections. */
final class JdbcProxy {

    private JdbcProxy() {}

    /** What happens instead of a call to a connection. */
    @FunctionalInterface
    interface Interceptor {
        @Nullable
        Object call(Connection connection, Method method, @Nullable Object[] arguments) throws Throwable;
    }

    /** A source whose connections are these instead. */
    static DataSource source(DataSource source, UnaryOperator<Connection> around) {
        return proxy(DataSource.class, (self, method, arguments) -> {
            @Nullable Object result = call(source, method, arguments);
            return result instanceof Connection connection ? around.apply(connection) : result;
        });
    }

    static Connection connection(Connection connection, Interceptor interceptor) {
        return proxy(
                Connection.class,
                (self, method, arguments) ->
                        interceptor.call(connection, method, arguments == null ? new Object[0] : arguments));
    }

    /** What happens before a call to a statement. */
    @FunctionalInterface
    interface Look {
        void before(Method method, @Nullable Object[] arguments) throws SQLException;
    }

    static Statement statement(Statement statement, Look look) {
        return proxy(Statement.class, (self, method, arguments) -> {
            look.before(method, arguments == null ? new Object[0] : arguments);
            return call(statement, method, arguments);
        });
    }

    /** The call as it was meant. */
    static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(JdbcProxy.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
