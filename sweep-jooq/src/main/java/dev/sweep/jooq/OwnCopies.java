package dev.sweep.jooq;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.copy.CopyDual;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;

/** Knows each COPY that a handler began: one that is left open would block its connection for ever. */
final class OwnCopies extends CopyManager {

    private final List<CopyOperation> begun = new ArrayList<>();

    OwnCopies(BaseConnection connection) throws SQLException {
        super(connection);
    }

    @Override
    public CopyIn copyIn(String sql) throws SQLException {
        return noted(super.copyIn(sql));
    }

    @Override
    public CopyOut copyOut(String sql) throws SQLException {
        return noted(super.copyOut(sql));
    }

    @Override
    public CopyDual copyDual(String sql) throws SQLException {
        return noted(super.copyDual(sql));
    }

    private synchronized <C extends CopyOperation> C noted(C copy) {
        begun.removeIf(earlier -> !earlier.isActive());
        begun.add(copy);
        return copy;
    }

    /** Cancels what is still open, which aborts its transaction. */
    synchronized void end() {
        for (CopyOperation copy : begun) {
            try {
                if (copy.isActive()) {
                    copy.cancelCopy();
                }
            } catch (SQLException aborted) {
                // As meant; a connection that is gone shows at its next statement.
            }
        }
    }
}
