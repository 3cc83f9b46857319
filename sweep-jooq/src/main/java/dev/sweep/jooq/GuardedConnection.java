package dev.sweep.jooq;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A handler's view of the connection whose transaction Sweep ends: everything works but what would end the transaction,
 * change how it is isolated, or let the real connection out.
 */
final class GuardedConnection implements InvocationHandler {

    private static final Set<String> REFUSED =
            Set.of("commit", "close", "setAutoCommit", "setTransactionIsolation", "setReadOnly", "unwrap");
    private static final String INVALID_TRANSACTION_STATE = "25000";

    private final Connection connection;
    private volatile boolean over;

    private GuardedConnection(Connection connection) {
        this.connection = connection;
    }

    /** A guard and the connection it hands out. */
    record Guard(Connection connection, Runnable end) {}

    static Guard around(Connection connection) {
        GuardedConnection handler = new GuardedConnection(connection);
        Connection guarded = (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
        return new Guard(guarded, () -> handler.over = true);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (over && name.equals("isClosed")) {
            return true;
        }
        if (over && method.getDeclaringClass() != Object.class) {
            throw new SQLException(
                    "the handler has returned, so its connection may not be used any more", INVALID_TRANSACTION_STATE);
        }
        boolean endsTransaction = name.equals("rollback") && method.getParameterCount() == 0;
        if (REFUSED.contains(name) || endsTransaction) {
            throw new SQLException(
                    name + " is refused: Sweep ends this transaction after the handler has returned;"
                            + " throw an exception to roll back, use a savepoint for a part",
                    INVALID_TRANSACTION_STATE);
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
