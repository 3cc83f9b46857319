package dev.sweep.maintenance;

import dev.sweep.testing.EmbeddedServerBuilder;
import java.nio.file.Path;

/** The same on the oldest PostgreSQL that we promise to run on. */
class DoctorOnOldestPostgresIT extends DoctorIT {

    @Override
    EmbeddedServerBuilder embedded() {
        return super.embedded().binaries(Path.of(System.getProperty("sweep.test.postgres.oldest")));
    }
}
