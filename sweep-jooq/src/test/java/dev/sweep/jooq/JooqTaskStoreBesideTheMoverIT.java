package dev.sweep.jooq;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.spi.TaskStore;
import dev.sweep.testing.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The contract with a mover of dead letters that is never late: it runs before whatever looks at ended tasks. On the oldest
 * PostgreSQL, since the newest has the other tests about dead letters.
 */
class JooqTaskStoreBesideTheMoverIT extends JooqTaskStoreOnOldestPostgresIT {

    private static final Set<String> LOOKING = Set.of(
            "enqueue", "find", "list", "counts", "cancel", "requeue", "delete", "reschedule", "select", "failures");

    @Override
    TaskStore asUsed(JooqTaskStore store, StoreUnderTest test) {
        PostgresServer server = test.server;
        HikariDataSource movers = PooledDataSource.open(server.jdbcUrl(), server.user(), server.password(), 10);
        return (TaskStore) Proxy.newProxyInstance(
                JooqTaskStore.class.getClassLoader(),
                JooqTaskStore.class.getInterfaces(),
                (proxy, method, arguments) -> {
                    if (LOOKING.contains(method.getName())) {
                        move(movers, test);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("close")) {
                            movers.close();
                        }
                    }
                });
    }

    /** As another process would: on a connection that is not the store's. */
    private static void move(DataSource movers, StoreUnderTest test) throws SQLException {
        try (Connection connection = movers.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(test.inSchema("select sweep.move_dead_letters(null, 1000)"));
        }
    }
}
