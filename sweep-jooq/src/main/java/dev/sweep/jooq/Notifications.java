package dev.sweep.jooq;

import dev.sweep.spi.Listening;
import dev.sweep.spi.WakeUp;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** LISTEN and NOTIFY of one store. Keeps no connection of its own; each listening has one. */
final class Notifications implements AutoCloseable {

    private final boolean isOn;
    private final DataSource listenerSource;
    private final WakeUpChannel channel;
    private final WakeUpSender sender;
    private final Announcer announcer;

    /**
     * Sends by one source and listens by the other, which may be the same.
     *
     * @param isOn false: announces nothing, and there is nothing to listen to
     */
    Notifications(boolean isOn, DataSource source, DataSource listenerSource, SchemaName schema) {
        this.isOn = isOn;
        this.listenerSource = listenerSource;
        this.channel = WakeUpChannel.of(schema);
        this.sender = new WakeUpSender(source, channel);
        this.announcer = new Announcer(sender::send);
    }

    void announce(WakeUp wakeUp) {
        if (isOn) {
            announcer.announce(WakeUpText.of(wakeUp));
        }
    }

    Optional<Listening> listen() {
        if (!isOn) {
            return Optional.empty();
        }
        try {
            return Optional.of(PostgresListening.open(listenerSource, channel, sender));
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    /** How many connections it may take from a source: one to listen, and one to announce. */
    int connectionsFrom(DataSource source) {
        return isOn ? 1 + (listenerSource == source ? 1 : 0) : 0;
    }

    @Override
    public void close() {
        announcer.close();
    }
}
