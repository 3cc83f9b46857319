package dev.sweep.jooq;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/** A HikariCP pool for programs that bring a URL and no {@link javax.sql.DataSource} of their own. */
public final class PooledDataSource {

    private static final int CONNECTION_TIMEOUT_MILLIS = 10_000;
    private static final String CONNECT_TIMEOUT_SECONDS = "10";

    private PooledDataSource() {}

    /**
     * Opens no connection yet; whoever asks for the first one learns whether the database answers.
     *
     * @param url {@code jdbc:postgresql://...}
     * @param user null: as the URL says
     * @param password null: as the URL says
     * @param maximumPoolSize five for a worker, one per slot with transactional handlers, and the application's own
     */
    public static HikariDataSource open(
            String url, @Nullable String user, @Nullable String password, int maximumPoolSize) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("sweep");
        config.setJdbcUrl(url);
        if (user != null) {
            config.setUsername(user);
        }
        if (password != null) {
            config.setPassword(password);
        }
        config.setMaximumPoolSize(maximumPoolSize);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setInitializationFailTimeout(-1);
        config.addDataSourceProperty("ApplicationName", "sweep");
        config.addDataSourceProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
        config.addDataSourceProperty("tcpKeepAlive", "true");
        return new HikariDataSource(config);
    }
}
