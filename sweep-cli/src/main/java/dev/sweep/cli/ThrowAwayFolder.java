package dev.sweep.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for as long as the demo or the bench runs; its name begins with {@code sweep-demo}. */
record ThrowAwayFolder(Path path) implements AutoCloseable {

    static ThrowAwayFolder create() throws IOException {
        return new ThrowAwayFolder(Files.createTempDirectory("sweep-demo"));
    }

    /** Deletes it with all that is in it. */
    @Override
    public void close() throws IOException {
        List<Path> content;
        try (Stream<Path> files = Files.walk(path)) {
            content = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : content) {
            Files.deleteIfExists(file);
        }
    }
}
