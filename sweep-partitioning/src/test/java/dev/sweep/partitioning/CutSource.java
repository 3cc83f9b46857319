package dev.sweep.partitioning;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * The connections of a process that dies: right after its n-th statement that changes something, or the
 * commit of one, all of them break, and it does not hear
 * what came of that.
 */
final class CutSource implements DataSource {

    private final DataSource source;
    private final int cut;
    private final AtomicInteger changes = new AtomicInteger();
    /** Below the pool: what it gives out are wrappers, whose end would be a rollback and not the end of the session. */
    private final Set<PgConnection> sessions = ConcurrentHashMap.newKeySet();

    CutSource(DataSource source, int cut) {
        this.source = source;
        this.cut = cut;
    }

    /** The server sessions there were, as an SQL array; the server may take a moment to end them. */
    String sessions() {
        return sessions.stream()
                .map(session -> Integer.toString(session.getBackendPID()))
                .collect(Collectors.joining(",", "'{", "}'"));
    }

    /** The end of the process; nothing catches it. */
    static final class Died extends Error {

        private static final long serialVersionUID = 1L;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = source.getConnection();
        sessions.add(real.unwrap(PgConnection.class));
        AtomicBoolean hasChanged = new AtomicBoolean();
        return proxy(Connection.class, (call, arguments) -> {
            Object answer = invoke(real, call, arguments);
            if (call.getName().equals("commit") && hasChanged.getAndSet(false)) {
                count();
            }
            return answer instanceof PreparedStatement statement
                    ? counted(statement, (String) arguments[0], hasChanged)
                    : answer;
        });
    }

    private PreparedStatement counted(PreparedStatement real, String sql, AtomicBoolean hasChanged) {
        boolean isChange = !sql.startsWith("select") && !sql.startsWith("set ");
        return proxy(PreparedStatement.class, (call, arguments) -> {
            Object answer = invoke(real, call, arguments);
            if (isChange && call.getName().startsWith("execute")) {
                hasChanged.set(true);
                count();
            }
            return answer;
        });
    }

    private void count() throws SQLException {
        if (changes.incrementAndGet() == cut) {
            for (Connection session : sessions) {
                session.close();
            }
            throw new Died();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                CutSource.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, call, arguments) -> handler.invoke(call, arguments)));
    }

    @FunctionalInterface
    private interface InvocationHandler {

        @Nullable
        Object invoke(Method call, @Nullable Object[] arguments) throws Throwable;
    }

    private static @Nullable Object invoke(Object real, Method call, @Nullable Object[] arguments) throws Throwable {
        try {
            return call.invoke(real, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    @Override
    public Connection getConnection(String user, String password) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
