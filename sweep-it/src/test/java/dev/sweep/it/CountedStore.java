package dev.sweep.it;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.jooq.JooqTaskStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store whose sessions are known, so that what they count can be had: all of it once it is closed. For one thread. */
final class CountedStore implements AutoCloseable {

    private static final int POOL_SIZE = 5;

    private final Database db;
    private final String name;
    private final List<Connection> sessions = new CopyOnWriteArrayList<>();
    private final HikariDataSource source;
    private final JooqTaskStore store;

    private CountedStore(Database db, String settings) {
        this.db = db;
        this.name = db.schema + "-counted";
        HikariConfig config = new HikariConfig();
        config.setDataSource(JdbcProxy.source(db.server.dataSource(), connection -> {
            sessions.add(connection);
            return connection;
        }));
        config.setConnectionInitSql("set application_name = '" + name + "'; " + settings);
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(0);
        this.source = new HikariDataSource(config);
        this.store = JooqTaskStore.builder(source).schema(db.schema).build();
    }

    /** @param settings of each session, as SQL */
    static CountedStore open(Database db, String settings) {
        return new CountedStore(db, settings);
    }

    JooqTaskStore store() {
        return store;
    }

    /** Makes idle sessions tell what they have counted until now; from PostgreSQL 15 on. */
    void tell() {
        for (Connection session : sessions) {
            try {
                if (!session.isClosed()) {
                    tell(session);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void tell(Connection session) throws SQLException {
        try (Statement statement = session.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
        }
    }

    /** Returns once all has been told. */
    @Override
    public void close() {
        store.close();
        source.close();
        db.awaitCount(0, "pg_stat_activity where application_name = '" + name + "'");
    }
}
