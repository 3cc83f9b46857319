package dev.sweep.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

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

    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    /** Starts one; takes a few seconds. */
    static DemoDatabase embedded() {
        try {
            ThrowAwayFolder data = ThrowAwayFolder.create();
            EmbeddedPostgres server = startedIn(data);
            DatabaseAddress address = new DatabaseAddress(
                    "jdbc:postgresql://localhost:" + server.getPort() + "/postgres", "postgres", null);
            return new DemoDatabase(address, DatabaseOptions.DEFAULT_SCHEMA, "sweep_demo", true, () -> stop(server));
        } catch (IOException | IllegalStateException failed) {
            throw new CliException(
                    ExitCode.FAILED,
                    "the embedded PostgreSQL did not start: " + failed.getMessage()
                            + "; pass --url to use your own (--verbose shows more)",
                    failed);
        }
    }

    /** Once started, it deletes its data itself when it is closed, or the JVM ends. */
    private static EmbeddedPostgres startedIn(ThrowAwayFolder data) throws IOException {
        try {
            return EmbeddedPostgres.builder()
                    .setDataDirectory(data.path())
                    // Commits are durable, as they would be in production: the demo's numbers are honest.
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("fsync", "on")
                    .setServerConfig("max_connections", "60")
                    .start();
        } catch (IOException | IllegalStateException failed) {
            endWhatWasStarted(data.path());
            data.close();
            throw failed;
        }
    }

    /**
     * A start that a signal cut short leaves its server behind, nobody's child and perhaps still on its way up. Its command
     * line names its data; what does is ended, until nothing has been seen for a while.
     */
    private static void endWhatWasStarted(Path data) {
        long quietSince = System.nanoTime();
        while (System.nanoTime() - quietSince < QUIET.toNanos()) {
            List<ProcessHandle> left = ProcessHandle.allProcesses()
                    .filter(process -> process.info().commandLine().orElse("").contains(data.toString()))
                    .toList();
            if (!left.isEmpty()) {
                left.forEach(ProcessHandle::destroyForcibly);
                quietSince = System.nanoTime();
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
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
