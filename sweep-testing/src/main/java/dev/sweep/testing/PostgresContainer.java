package dev.sweep.testing;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** The only class that knows Testcontainers: it can't be loaded without them, so it is touched last. */
final class PostgresContainer {

    private static final int PORT = 5432;
    private static final String USER = "postgres";
    private static final String PASSWORD = "sweep";

    private PostgresContainer() {}

    @SuppressWarnings("resource") // Lives as long as the JVM; Testcontainers removes it then.
    static ServerAddress start(String image) {
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
}
