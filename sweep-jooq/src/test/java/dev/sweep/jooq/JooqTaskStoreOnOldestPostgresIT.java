package dev.sweep.jooq;

import dev.sweep.testing.PostgresServer;
import java.nio.file.Path;

/** The contract on the oldest PostgreSQL that Sweep promises to run on. */
class JooqTaskStoreOnOldestPostgresIT extends JooqTaskStoreContract {

    @Override
    PostgresServer server() {
        return PostgresServer.embedded()
                .binaries(Path.of(System.getProperty("sweep.test.postgres.oldest")))
                .start();
    }

    @Override
    void release(PostgresServer server) {
        server.close();
    }
}
