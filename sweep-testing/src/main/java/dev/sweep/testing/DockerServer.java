package dev.sweep.testing;

import java.util.Optional;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** PostgreSQL in a container, where a Docker engine answers. */
final class DockerServer {

    private static final String DEFAULT_IMAGE = "postgres:18";
    private static final int PORT = 5432;
    private static final String USER = "postgres";
    private static final String PASSWORD = "sweep";

    private DockerServer() {}

    /** Starts one that lives as long as the JVM; empty, with a line that says why, if Docker is there but of no use. */
    static Optional<ServerAddress> start() {
        if (!DockerEngine.answers()) {
            return Optional.empty();
        }
        String image = TestSetting.of("SWEEP_TEST_IMAGE").orElse(DEFAULT_IMAGE);
        try {
            return Optional.of(run(image));
        } catch (NoClassDefFoundError missing) {
            TestSetting.say("Docker answers, but org.testcontainers:testcontainers is not on the class path");
        } catch (RuntimeException e) {
            TestSetting.say("Docker answers, but image " + image + " could not be started (" + rootMessage(e)
                    + "); run `docker pull " + image + "`, or name another in SWEEP_TEST_IMAGE");
        }
        return Optional.empty();
    }

    @SuppressWarnings("resource") // Lives as long as the JVM; Testcontainers removes it then.
    private static ServerAddress run(String image) {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withEnv("POSTGRES_PASSWORD", PASSWORD)
                .withCommand("postgres", "-c", "max_connections=300", "-c", "fsync=off", "-c", "synchronous_commit=off")
                .withExposedPorts(PORT)
                // The first one is the server that only initialises the data folder.
                .waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*\\s", 2));
        container.start();
        String url = "jdbc:postgresql://" + container.getHost() + ":" + container.getMappedPort(PORT) + "/postgres";
        return new ServerAddress(url, USER, PASSWORD);
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
