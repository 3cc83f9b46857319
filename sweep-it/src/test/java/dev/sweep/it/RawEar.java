package dev.sweep.it;

import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A session beside Sweep that writes down the notifications of some schemas' channels, but not how listeners test them. */
final class RawEar implements AutoCloseable {

    private static final int DEADLINE_MILLIS = 60_000;

    private final Connection connection;

    private RawEar(Connection connection) {
        this.connection = connection;
    }

    static RawEar on(PostgresServer server, String... schemas) throws SQLException {
        Connection connection = server.dataSource().getConnection();
        try (Statement statement = connection.createStatement()) {
            for (String schema : schemas) {
                statement.execute("listen \"sweep:" + schema + '"');
            }
        }
        return new RawEar(connection);
    }

    /** What came until this text did, which is left out; each as channel and text. */
    List<String> until(String text) throws SQLException {
        List<String> heard = new ArrayList<>();
        PGConnection driver = connection.unwrap(PGConnection.class);
        while (true) {
            PGNotification[] some = driver.getNotifications(DEADLINE_MILLIS);
            if (some.length == 0) {
                throw new AssertionError("waited in vain for '" + text + "' after " + heard);
            }
            for (PGNotification one : some) {
                if (one.getParameter().equals(text)) {
                    return heard;
                }
                if (!one.getParameter().startsWith("t:")) {
                    heard.add(one.getName() + ' ' + one.getParameter());
                }
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
