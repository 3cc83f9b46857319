package dev.sweep.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The lines of a test that the documentation shows, marked in its source. */
final class Sample {

    private static final Path SOURCES = Path.of("src/test/java");
    private static final String BEGIN = "// sample {";
    private static final String END = "// } sample";

    private Sample() {}

    /** What stands between the marks in the source of this class, without their indentation. */
    static String of(Class<?> test) throws IOException {
        List<String> marked = Files.readAllLines(SOURCES.resolve(test.getName().replace('.', '/') + ".java")).stream()
                .dropWhile(line -> !line.strip().equals(BEGIN))
                .skip(1)
                .takeWhile(line -> !line.strip().equals(END))
                .toList();
        return String.join("\n", marked).stripIndent();
    }
}
