package dev.sweep.partitioning;

import dev.sweep.testing.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The changes of partitions on the oldest PostgreSQL that Sweep promises to run on. */
class PartitionManagerOnOldestPostgresIT extends PartitionManagerIT {

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = Installation.oldestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    Installation newInstallation() {
        return Installation.on(server);
    }
}
