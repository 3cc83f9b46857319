package dev.sweep.jmh;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import java.util.Map;

/**
 * The {@link Installation} of the process that started this one. Its coordinates come in the environment, where other users
 * of the machine don't see the password.
 */
record ParentsInstallation(HikariDataSource pool, Sweep sweep) implements AutoCloseable {

    private static final int POOL_SIZE = 8;
    private static final String URL = "SWEEP_BENCH_URL";
    private static final String USER = "SWEEP_BENCH_USER";
    private static final String PASSWORD = "SWEEP_BENCH_PASSWORD";
    private static final String SCHEMA = "SWEEP_BENCH_SCHEMA";

    /** For the environment of a child. */
    static Map<String, String> coordinates(String url, String user, String password, String schema) {
        return Map.of(URL, url, USER, user, PASSWORD, password, SCHEMA, schema);
    }

    static ParentsInstallation open() {
        HikariDataSource pool = PooledDataSource.open(given(URL), given(USER), given(PASSWORD), POOL_SIZE);
        return new ParentsInstallation(
                pool,
                Sweep.create(JooqTaskStore.builder(pool).schema(given(SCHEMA)).build()));
    }

    private static String given(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not set; this process is started by MemoryBudget");
        }
        return value;
    }

    @Override
    public void close() {
        sweep.close();
        pool.close();
    }
}
