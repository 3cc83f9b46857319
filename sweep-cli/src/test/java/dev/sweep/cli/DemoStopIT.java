package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A signal ends the demo and all that it has started, in a process of its own. */
@Timeout(120)
class DemoStopIT {

    private static final int ENDED_BY_SIGTERM = 128 + 15;

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"starting an embedded PostgreSQL", "signing up", "tasks ended"})
    void nothingIsLeftBehind(String stopAt) throws IOException, InterruptedException {
        Process demo = start();
        try (BufferedReader remarks =
                new BufferedReader(new InputStreamReader(demo.getErrorStream(), StandardCharsets.UTF_8))) {
            assertThat(remarks.lines().anyMatch(line -> line.contains(stopAt))).isTrue();
            demo.destroy();
            assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            demo.destroyForcibly();
        }

        assertThat(demo.exitValue()).isEqualTo(ENDED_BY_SIGTERM);
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("sweep-demo"));
        }
        for (ProcessHandle process :
                ProcessHandle.allProcesses().filter(this::isOfTheDemo).toList()) {
            assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "demo")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** The server's data lie in the temporary folder, and its command line says so. */
    private boolean isOfTheDemo(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(temporary.toString());
    }
}
