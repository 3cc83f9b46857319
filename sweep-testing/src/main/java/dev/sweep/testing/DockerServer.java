package dev.sweep.testing;

import java.util.Optional;

/** PostgreSQL in a container, where a Docker engine answers. */
final class DockerServer {

    private static final String DEFAULT_IMAGE = "postgres:18";

    private DockerServer() {}

    /** Starts one that lives as long as the JVM; empty, with a line that says why, if Docker is there but of no use. */
    static Optional<ServerAddress> start() {
        if (!DockerEngine.answers()) {
            return Optional.empty();
        }
        String image = TestSetting.of("SWEEP_TEST_IMAGE").orElse(DEFAULT_IMAGE);
        try {
            return Optional.of(PostgresContainer.start(image));
        } catch (NoClassDefFoundError missing) {
            TestSetting.say("Docker answers, but org.testcontainers:testcontainers is not on the class path");
        } catch (RuntimeException e) {
            TestSetting.say("Docker answers, but image " + image + " could not be started (" + rootMessage(e)
                    + "); run `docker pull " + image + "`, or name another in SWEEP_TEST_IMAGE");
        }
        return Optional.empty();
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
