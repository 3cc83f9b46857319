package dev.sweep.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The PostgreSQL of one demo: an embedded one in a throw-away folder, or the user's own, where the demo has two schemas
 * with names that nobody else has.
 *
 * @param taskSchema Sweep's schema
 * @param shopSchema the demo's own
 * @param stop ends what was started
 */
record DemoDatabase(DatabaseAddress address, String taskSchema, String shopSchema, boolean isEmbedded, Runnable stop)
        implements AutoCloseable {

    /** Starts one; takes a few seconds. */
    static DemoDatabase embedded() {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    // Commits are durable, as they would be in production: the demo's numbers are honest.
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("fsync", "on")
                    .setServerConfig("max_connections", "60")
                    .start();
            DatabaseAddress address = new DatabaseAddress(
                    "jdbc:postgresql://localhost:" + server.getPort() + "/postgres", "postgres", null);
            return new DemoDatabase(address, DatabaseOptions.DEFAULT_SCHEMA, "sweep_demo", true, () -> stop(server));
        } catch (IOException | IllegalStateException failed) {
            endWhatWasStarted();
            throw new CliException(
                    ExitCode.FAILED,
                    "the embedded PostgreSQL did not start: " + failed.getMessage()
                            + "; pass --url to use your own (--verbose shows more)",
                    failed);
        }
    }

    /** A start that a signal cut short leaves its server running, and nobody has a handle on it. We have no other children yet. */
    private static void endWhatWasStarted() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroy);
    }

    /** The user's own; nothing is created yet. */
    static DemoDatabase at(DatabaseAddress address) {
        String suffix =
                String.format(Locale.ROOT, "%08x", ThreadLocalRandom.current().nextInt());
        return new DemoDatabase(address, "sweep_demo_" + suffix, "sweep_demo_" + suffix + "_shop", false, () -> {});
    }

    DemoStatements statements() {
        return new DemoStatements(taskSchema, shopSchema);
    }

    @Override
    public void close() {
        stop.run();
    }

    private static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException failed) {
            throw new CliException(
                    ExitCode.FAILED, "the embedded PostgreSQL did not stop: " + failed.getMessage(), failed);
        }
    }
}
