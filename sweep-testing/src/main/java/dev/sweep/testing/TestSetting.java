package dev.sweep.testing;

import java.util.Optional;

/** What a person tells the tests from outside, and what the tests tell the person. */
final class TestSetting {

    private TestSetting() {}

    /** The system property of this name, else the environment variable; a blank one counts as absent. */
    static Optional<String> of(String name) {
        return Optional.ofNullable(System.getProperty(name))
                .or(() -> Optional.ofNullable(System.getenv(name)))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    /** One line on standard error: tests often have no log. */
    static void say(String line) {
        System.err.println("sweep-testing: " + line);
    }
}
