package dev.sweep.it;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections that break once: before the n-th of the statements that change something, or about a commit after such a
 * statement, before it or after it. What a process that is killed there leaves behind is the same.
 */
final class CutSource {

    private static final Pattern CHANGE =
            Pattern.compile("(?is)\\s*(alter|create|drop|lock|insert|update|delete|do|with|copy)\\b.*");

    private final DataSource source;
    private final AtomicInteger left;
    private volatile boolean hasChanged;

    /** @param cut which of them, counted from one; each commit counts twice */
    CutSource(DataSource source, int cut) {
        this.source = source;
        this.left = new AtomicInteger(cut);
    }

    /** Whether the cut lay beyond what was done. */
    boolean isUncut() {
        return left.get() > 0;
    }

    DataSource source() {
        return JdbcProxy.source(source, open -> JdbcProxy.connection(open, this::call));
    }

    private @Nullable Object call(Connection connection, Method method, @Nullable Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "prepareStatement" -> beforeStatement(connection, (String) arguments[0]);
            case "createStatement" -> {
                return statement(connection, (Statement) JdbcProxy.call(connection, method, arguments));
            }
            case "commit" -> {
                if (hasChanged) {
                    hasChanged = false;
                    cut(connection);
                    connection.commit();
                    cut(connection);
                    return null;
                }
            }
            default -> {}
        }
        return JdbcProxy.call(connection, method, arguments);
    }

    private Statement statement(Connection connection, Statement statement) {
        return JdbcProxy.statement(statement, (method, arguments) -> {
            if (method.getName().startsWith("execute") && arguments.length > 0) {
                beforeStatement(connection, (String) arguments[0]);
            }
        });
    }

    private void beforeStatement(Connection connection, String sql) throws SQLException {
        if (CHANGE.matcher(sql).matches()) {
            hasChanged = true;
            cut(connection);
        }
    }

    private void cut(Connection connection) throws SQLException {
        if (left.decrementAndGet() == 0) {
            connection.abort(Runnable::run);
            throw new SQLException("cut", "08006");
        }
    }
}
