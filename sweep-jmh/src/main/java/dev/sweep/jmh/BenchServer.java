package dev.sweep.jmh;

import dev.sweep.testing.PostgresServer;

/**
 * The PostgreSQL of one benchmark JVM: the one that {@code SWEEP_TEST_URL} names, else an embedded one that is durable.
 * Not a container of the tests', which isn't.
 */
final class BenchServer {

    private static final String GIVEN = "SWEEP_TEST_URL";

    private BenchServer() {}

    /** The caller closes it, which does nothing to a given one. */
    static PostgresServer open() {
        return System.getProperty(GIVEN, System.getenv().getOrDefault(GIVEN, ""))
                        .isBlank()
                ? embedded()
                : PostgresServer.shared();
    }

    /** Checkpoints are far apart, so that a short run does not pay for one, nor for the full-page images after it. */
    private static PostgresServer embedded() {
        return PostgresServer.embedded()
                .durable(true)
                .setting("shared_buffers", "512MB")
                .setting("checkpoint_timeout", "1h")
                .setting("max_wal_size", "16GB")
                .start();
    }
}
