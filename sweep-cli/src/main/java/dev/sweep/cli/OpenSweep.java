package dev.sweep.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import javax.sql.DataSource;

/** A Sweep and the connections that it uses, both closed together. */
final class OpenSweep implements AutoCloseable {

    private final HikariDataSource connections;
    private final Sweep sweep;

    private OpenSweep(HikariDataSource connections, Sweep sweep) {
        this.connections = connections;
        this.sweep = sweep;
    }

    /** Connects, whatever the schema there is like; fails at once if nobody answers. */
    static OpenSweep connect(DatabaseAddress address, String schema, int maxConnections) {
        address.checkAnswers();
        HikariDataSource connections =
                PooledDataSource.open(address.jdbcUrl(), address.user(), address.password(), maxConnections);
        try {
            return new OpenSweep(
                    connections,
                    Sweep.create(
                            JooqTaskStore.builder(connections).schema(schema).build()));
        } catch (RuntimeException refused) {
            connections.close();
            throw refused;
        }
    }

    /** Connects to a schema that this version can work with; anything else is an error that says what to do. */
    static OpenSweep open(DatabaseAddress address, String schema, int maxConnections) {
        OpenSweep opened = connect(address, schema, maxConnections);
        try {
            opened.sweep.store().verify();
            return opened;
        } catch (RuntimeException unusable) {
            opened.close();
            throw unusable;
        }
    }

    Sweep sweep() {
        return sweep;
    }

    DataSource connections() {
        return connections;
    }

    @Override
    public void close() {
        try (connections) {
            sweep.close();
        }
    }
}
