package dev.sweep.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.partitioning.PartitionManagerBuilder;
import dev.sweep.partitioning.PartitionRetention;
import dev.sweep.partitioning.PartitionRetentionBuilder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A Sweep and the connections that it uses, both closed together. */
final class OpenSweep implements AutoCloseable {

    private final HikariDataSource connections;
    private final String schema;
    private final JooqTaskStore store;
    private final Sweep sweep;

    private OpenSweep(HikariDataSource connections, String schema, JooqTaskStore store) {
        this.connections = connections;
        this.schema = schema;
        this.store = store;
        this.sweep = Sweep.create(store);
    }

    /** Connects, whatever the schema there is like; fails at once if nobody answers. */
    static OpenSweep connect(DatabaseAddress address, String schema, int maxConnections) {
        address.checkAnswers();
        HikariDataSource connections =
                PooledDataSource.open(address.jdbcUrl(), address.user(), address.password(), maxConnections);
        try {
            return new OpenSweep(
                    connections,
                    schema,
                    JooqTaskStore.builder(connections).schema(schema).build());
        } catch (RuntimeException refused) {
            connections.close();
            throw refused;
        }
    }

    /** Connects to a schema that this version can work with; anything else is an error that says what to do. */
    static OpenSweep open(DatabaseAddress address, String schema, int maxConnections) {
        OpenSweep opened = connect(address, schema, maxConnections);
        try {
            opened.store.verify();
            return opened;
        } catch (RuntimeException unusable) {
            opened.close();
            throw unusable;
        }
    }

    Sweep sweep() {
        return sweep;
    }

    JooqTaskStore store() {
        return store;
    }

    PartitionManagerBuilder partitions() {
        return PartitionManager.builder(store);
    }

    PartitionRetentionBuilder retention() {
        return PartitionRetention.builder(store);
    }

    /** The version that the schema says it has. */
    int schemaVersion() throws SQLException {
        String quoted = '"' + schema.replace("\"", "\"\"") + '"';
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select version from " + quoted + ".schema_info")) {
            row.next();
            return row.getInt(1);
        }
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
