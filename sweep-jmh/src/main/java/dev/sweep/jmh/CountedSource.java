package dev.sweep.jmh;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Stands between a store and its connections, and tells a meter of statements and commits. */
final class CountedSource {

    private final Meter meter;

    private CountedSource(Meter meter) {
        this.meter = meter;
    }

    static DataSource of(DataSource source, Meter meter) {
        return new CountedSource(meter).source(source);
    }

    private DataSource source(DataSource source) {
        return proxy(DataSource.class, (self, method, arguments) -> {
            @Nullable Object result = call(source, method, arguments);
            return result instanceof Connection connection ? connection(connection) : result;
        });
    }

    private Connection connection(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("commit")) {
                meter.countCommit();
            }
            @Nullable Object result = call(connection, method, arguments);
            return result instanceof Statement statement ? statement(connection, statement) : result;
        });
    }

    private Statement statement(Connection connection, Statement statement) {
        return proxy(typeOf(statement), (self, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                count(connection);
            }
            return call(statement, method, arguments);
        });
    }

    /** With autocommit, a statement is a transaction. */
    private void count(Connection connection) throws SQLException {
        meter.countStatement();
        if (connection.getAutoCommit()) {
            meter.countCommit();
        }
    }

    private static Class<? extends Statement> typeOf(Statement statement) {
        if (statement instanceof CallableStatement) {
            return CallableStatement.class;
        }
        return statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(CountedSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
