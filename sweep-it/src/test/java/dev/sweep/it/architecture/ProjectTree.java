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
        return new ClassFileImporter()
                .withImportOption(location -> !location.contains("/dev/sweep/it/architecture/bad/"))
                .importPaths(Stream.of("target/classes", "target/test-classes")
                        .flatMap(directory -> inEveryModule(directory).stream())
                        .toList());
    }

    static List<Path> poms() {
        return Stream.concat(Stream.of(ROOT.resolve("pom.xml")), inEveryModule("pom.xml").stream())
                .toList();
    }

    private static JavaClasses importFrom(String directory) {
        return new ClassFileImporter().importPaths(inEveryModule(directory));
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
