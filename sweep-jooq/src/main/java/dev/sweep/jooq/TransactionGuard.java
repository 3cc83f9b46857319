package dev.sweep.jooq;

import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.core.BaseConnection;

/**
 * A handler's view of the connection whose transaction Sweep ends. Everything works but what would end the transaction or
 * change the connection for longer than that; and whatever leads from one JDBC object to another leads to a guarded one, so
 * that none lets the real connection out. COPY and large objects are offered through {@link PGConnection}.
 */
final class TransactionGuard {

    /** Those from which a connection can be reached, the narrower first. */
    private static final List<Class<?>> GUARDED = List.of(
            CallableStatement.class,
            PreparedStatement.class,
            Statement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            Array.class);

    /** The driver's own interfaces that a caller may unwrap to. */
    private static final List<Class<?>> OFFERED = List.of(PGConnection.class, PGStatement.class);

    private final Connection real;
    private final Connection connection;
    private @Nullable OwnCopies copies;
    private volatile boolean isOver;
    private volatile boolean isSessionChanged;

    TransactionGuard(Connection real) {
        this.real = real;
        this.connection = Connection.class.cast(guarded(Connection.class, real));
    }

    /** What the handler gets. */
    Connection connection() {
        return connection;
    }

    /** From here on whatever the handler has kept is closed; ends a COPY that it left open. */
    synchronized void end() {
        isOver = true;
        if (copies != null) {
            copies.end();
        }
    }

    boolean isOver() {
        return isOver;
    }

    /** Whether a statement may have changed what can't be seen afterwards. */
    boolean isSessionChanged() {
        return isSessionChanged;
    }

    void saw(String sql) {
        isSessionChanged |= SessionText.mayChangeCustomSettings(sql);
    }

    /** Sends all COPY of the handler through here. */
    synchronized OwnCopies copies() throws SQLException {
        if (copies == null) {
            copies = new OwnCopies(real.unwrap(BaseConnection.class));
        }
        return copies;
    }

    /** This object, or what stands for it. */
    @Nullable
    Object guarded(@Nullable Object found) {
        if (found instanceof Connection) {
            return connection;
        }
        for (Class<?> type : GUARDED) {
            if (type.isInstance(found)) {
                return guarded(type, found);
            }
        }
        return found;
    }

    /** The driver's own view of an object, guarded too; empty if that is not offered. */
    Optional<Object> offered(Class<?> type, java.sql.Wrapper object) throws SQLException {
        return OFFERED.contains(type) && object.isWrapperFor(type)
                ? Optional.of(guarded(type, object.unwrap(type)))
                : Optional.empty();
    }

    private Object guarded(Class<?> type, Object object) {
        return Proxy.newProxyInstance(
                TransactionGuard.class.getClassLoader(), new Class<?>[] {type}, new GuardedObject(this, type, object));
    }
}
