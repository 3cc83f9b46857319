package dev.sweep.jooq;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Wrapper;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** One JDBC object as a handler sees it: passes on what may be called, and guards what comes back. */
final class GuardedObject implements InvocationHandler {

    private static final String INVALID_TRANSACTION_STATE = "25000";
    private static final Set<String> ENDING = Set.of("commit", "close");
    private static final Set<String> TAKING_SQL = Set.of("prepare", "execute", "addBatch");

    private final TransactionGuard guard;
    private final Class<?> type;
    private final Object real;

    GuardedObject(TransactionGuard guard, Class<?> type, Object real) {
        this.guard = guard;
        this.type = type;
        this.real = real;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given) throws Throwable {
        @Nullable Object[] arguments = given == null ? new Object[0] : given;
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return name.equals("equals") ? real == realOf(arguments[0]) : call(method, arguments);
        }
        if (guard.isOver()) {
            return afterTheEnd(method);
        }
        refuseWhatOutlivesTheTransaction(method);
        if (name.equals("unwrap") || name.equals("isWrapperFor")) {
            Optional<Object> view = view(proxy, (Class<?>) Objects.requireNonNull(arguments[0]));
            return name.equals("isWrapperFor") ? view.isPresent() : view.orElseThrow(() -> noView(arguments[0]));
        }
        if (name.equals("getCopyAPI")) {
            return guard.copies();
        }
        if (arguments.length > 0
                && arguments[0] instanceof String sql
                && TAKING_SQL.stream().anyMatch(name::startsWith)) {
            guard.saw(sql);
        }
        return guard.guarded(
                call(method, Arrays.stream(arguments).map(GuardedObject::realOf).toArray()));
    }

    private @Nullable Object call(Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** What stands behind a guarded object, for calls that take one. */
    private static @Nullable Object realOf(@Nullable Object object) {
        return object != null
                        && Proxy.isProxyClass(object.getClass())
                        && Proxy.getInvocationHandler(object) instanceof GuardedObject guarded
                ? guarded.real
                : object;
    }

    private static @Nullable Object afterTheEnd(Method method) throws Exception {
        return switch (method.getName()) {
            case "isClosed" -> true;
            case "close" -> null;
            default -> throw refusal(method, "the handler has returned, so its connection may not be used any more");
        };
    }

    private void refuseWhatOutlivesTheTransaction(Method method) throws Exception {
        String name = method.getName();
        String refused = name + " is refused: Sweep ends this transaction after the handler has returned; ";
        boolean isConnection = type == Connection.class;
        if (isConnection && (ENDING.contains(name) || (name.equals("rollback") && method.getParameterCount() == 0))) {
            throw refusal(method, refused + "throw an exception to roll back, use a savepoint for a part");
        }
        boolean sets = (name.startsWith("set") && !name.equals("setSavepoint")) || name.startsWith("add");
        if (sets && (isConnection || type == PGConnection.class)) {
            throw refusal(
                    method,
                    refused + "it would stay for the next user of the connection; use `set local` or an option of the"
                            + " statement");
        }
    }

    /** As an exception that the method may throw. */
    private static Exception refusal(Method method, String message) {
        List<Class<?>> declared = List.of(method.getExceptionTypes());
        if (declared.contains(SQLException.class)) {
            return new SQLException(message, INVALID_TRANSACTION_STATE);
        }
        return declared.contains(SQLClientInfoException.class)
                ? new SQLClientInfoException(message, INVALID_TRANSACTION_STATE, Map.of())
                : new IllegalStateException(message);
    }

    private Optional<Object> view(Object proxy, Class<?> wanted) throws SQLException {
        return wanted.isInstance(proxy) ? Optional.of(proxy) : guard.offered(wanted, (Wrapper) real);
    }

    private static SQLException noView(@Nullable Object wanted) {
        return new SQLException(
                "unwrap to " + wanted + " is refused: it would let out the connection whose transaction Sweep ends;"
                        + " org.postgresql.PGConnection is offered, for COPY",
                INVALID_TRANSACTION_STATE);
    }
}
