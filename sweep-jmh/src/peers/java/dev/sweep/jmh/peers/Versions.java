package dev.sweep.jmh.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The versions that the build chose. */
final class Versions {

    private static final String FILE = "versions.properties";

    private Versions() {}

    static String of(String contender) {
        Properties versions = new Properties();
        try (InputStream file = Objects.requireNonNull(Versions.class.getResourceAsStream(FILE), FILE)) {
            versions.load(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return Objects.requireNonNull(versions.getProperty(contender), contender);
    }
}
