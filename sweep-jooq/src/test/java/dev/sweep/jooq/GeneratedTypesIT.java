package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The committed jOOQ types are those of the migrated schema. After a migration, run this test with
 * {@code -Dsweep.regenerate} to write them anew.
 */
class GeneratedTypesIT {

    private static final Path COMMITTED = Path.of("src/generated/java");

    @Test
    void theCommittedTypesAreThoseOfTheMigratedSchema(@TempDir Path fresh) throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (StoreUnderTest test = StoreUnderTest.migrated("generated_types")) {
            Path target = System.getProperty("sweep.regenerate") == null ? fresh : COMMITTED;
            SchemaTypes.generate(server.jdbcUrl(), server.user(), server.password(), test.schema, target);
            assertThat(sources(COMMITTED)).isEqualTo(sources(target));
        }
    }

    private static Map<String, String> sources(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(
                            file -> root.relativize(file).toString(),
                            GeneratedTypesIT::read,
                            (a, b) -> a,
                            TreeMap::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            // On newer JDKs the generator names one more warning to suppress.
            return Files.readString(file).replace(", \"this-escape\"", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
