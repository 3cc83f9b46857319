package dev.sweep.it.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The project as it lies on disk: what the build compiled in every module, tests included. */
final class ProjectTree {

    private static final Path ROOT =
            Path.of(System.getProperty("sweep.root", "..")).toAbsolutePath().normalize();

    private ProjectTree() {}

    /** Main classes of all modules. */
    static JavaClasses mainClasses() {
        return importFrom("target/classes");
    }

    /** Main and test classes of all modules, without the bad examples. */
    static JavaClasses allClasses() {
        return importFrom("target/classes", "target/test-classes");
    }

    static List<Path> poms() {
        return Stream.concat(Stream.of(ROOT.resolve("pom.xml")), inEveryModule("pom.xml").stream())
                .toList();
    }

    /** What we wrote: JMH's code around each benchmark is its own, and sleeps. */
    private static JavaClasses importFrom(String... directories) {
        return new ClassFileImporter()
                .withImportOption(location -> !location.contains("/dev/sweep/it/architecture/bad/"))
                .withImportOption(location -> !location.contains("/dev/sweep/jmh/jmh_generated/"))
                .importPaths(Stream.of(directories)
                        .flatMap(directory -> inEveryModule(directory).stream())
                        .toList());
    }

    private static List<Path> inEveryModule(String relative) {
        try (Stream<Path> children = Files.list(ROOT)) {
            return children.filter(child -> child.getFileName().toString().startsWith("sweep-"))
                    .map(module -> module.resolve(relative))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
