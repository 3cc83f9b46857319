package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import javax.sql.DataSource;

/** Notifies a channel, in a transaction of its own on a borrowed connection. */
final class WakeUpSender {

    /** A connection that is silent for longer is dead. */
    static final int PATIENCE_MILLIS = 5_000;

    /**
     * All at once. A transaction that notifies holds a lock of the whole database until its commit is done, so that must
     * not wait for the disk; a hint that a crash of the server takes with it is no loss.
     *
     * <p>Parameters: channel, texts.
     */
    private static final String NOTIFY = """
            select set_config('synchronous_commit', 'off', true), pg_notify(?, hint)
            from unnest(?::text[]) h(hint)
            """;

    private final DataSource source;
    private final WakeUpChannel channel;

    WakeUpSender(DataSource source, WakeUpChannel channel) {
        this.source = source;
        this.channel = channel;
    }

    void send(Collection<String> texts) throws SQLException {
        try (Connection connection = source.getConnection()) {
            int patience = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
            notify(connection, texts);
            connection.setNetworkTimeout(Runnable::run, patience);
        }
    }

    private void notify(Connection connection, Collection<String> texts) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
            SqlArrays.into(statement).scalar(channel.name()).texts(texts);
            statement.execute();
        }
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }
}
