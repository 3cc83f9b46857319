package dev.sweep.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A PostgreSQL of our own in a throw-away folder. Commits are durable there, as they would be in production.
 *
 * @param stop ends what was started
 */
record EmbeddedServer(DatabaseAddress address, Runnable stop) implements AutoCloseable {

    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    /**
     * Starts one; takes a few seconds.
     *
     * @param settings of the server, on top of those that make commits durable
     */
    static EmbeddedServer start(Map<String, String> settings) {
        try {
            ThrowAwayFolder data = ThrowAwayFolder.create();
            EmbeddedPostgres server = startedIn(data, settings);
            DatabaseAddress address = new DatabaseAddress(
                    "jdbc:postgresql://localhost:" + server.getPort() + "/postgres", "postgres", null);
            return new EmbeddedServer(address, () -> stop(server));
        } catch (IOException | IllegalStateException failed) {
            throw new CliException(
                    ExitCode.FAILED,
                    "the embedded PostgreSQL did not start: " + failed.getMessage()
                            + "; pass --url to use your own (--verbose shows more)",
                    failed);
        }
    }

    /** Once started, it deletes its data itself when it is closed, or the JVM ends. */
    private static EmbeddedPostgres startedIn(ThrowAwayFolder data, Map<String, String> settings) throws IOException {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(data.path())
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("fsync", "on")
                    .setServerConfig("max_connections", "60");
            settings.forEach(builder::setServerConfig);
            return builder.start();
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
