package dev.sweep.partitioning;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a process that dies: right after its n-th statement or commit all of them break, and it does not hear
 * what came of that.
 */
final class CutSource implements DataSource {

    private final DataSource source;
    private final int cut;
    private final AtomicInteger statements = new AtomicInteger();
    private final Queue<Connection> open = new ConcurrentLinkedQueue<>();

    CutSource(DataSource source, int cut) {
        this.source = source;
        this.cut = cut;
    }

    /** The end of the process; nothing catches it. */
    static final class Died extends Error {

        private static final long serialVersionUID = 1L;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = source.getConnection();
        open.add(real);
        return proxy(Connection.class, real);
    }

    private <T> T proxy(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                CutSource.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, call, arguments) -> invoke(real, call, arguments)));
    }

    private @Nullable Object invoke(Object real, Method call, @Nullable Object[] arguments) throws Throwable {
        Object answer;
        try {
            answer = call.invoke(real, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        if (call.getName().startsWith("execute") || call.getName().equals("commit")) {
            if (statements.incrementAndGet() == cut) {
                for (Connection connection : open) {
                    connection.close();
                }
                throw new Died();
            }
        }
        if (answer instanceof PreparedStatement prepared) {
            return proxy(PreparedStatement.class, prepared);
        }
        return answer instanceof Statement statement ? proxy(Statement.class, statement) : answer;
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
