package dev.sweep.jmh.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.cli.bench.Place;
import dev.sweep.cli.bench.Pools;
import java.sql.SQLException;

/** Connections whose search path is the contender's schema; multi-row inserts are what the driver makes of batches. */
final class PeerPool {

    private PeerPool() {}

    /**
     * All of them are open, so that the clock does not see them being opened.
     *
     * @param isAutoCommit whether each statement is a transaction, unless the peer says otherwise
     */
    static HikariDataSource open(Place place, int connections, boolean isAutoCommit) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setPoolName("peer");
        config.setJdbcUrl(place.jdbcUrl());
        config.setAutoCommit(isAutoCommit);
        config.setMaximumPoolSize(connections);
        // Not Hikari's own setting, which a rollback undoes.
        config.addDataSourceProperty("currentSchema", place.schema());
        config.addDataSourceProperty("ApplicationName", "sweep-bench");
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        String user = place.user();
        if (user != null) {
            config.setUsername(user);
        }
        String password = place.password();
        if (password != null) {
            config.setPassword(password);
        }
        HikariDataSource pool = new HikariDataSource(config);
        Pools.openAll(pool, connections);
        return pool;
    }
}
