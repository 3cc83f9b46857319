package dev.sweep.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker of the demo in a JVM of its own, to be killed or to be ended. */
final class DemoWorkerProcess implements AutoCloseable {

    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    private static final long END_SECONDS = 3;
    private static final int SHOWN_LOG_CHARS = 2_000;

    private final String name;
    private final Process process;
    private final Path log;

    private DemoWorkerProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it with this JVM's class path. The password goes through the environment, which others can't read.
     *
     * @param folder where its log goes
     */
    static DemoWorkerProcess start(String name, DemoDatabase database, Misfortune misfortune, Path folder)
            throws IOException {
        Path log = folder.resolve(name.replace(' ', '-') + ".log");
        ProcessBuilder builder = new ProcessBuilder(commandLine(database, misfortune))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("SWEEP_URL", database.address().jdbcUrl());
        environment.put("SWEEP_SCHEMA", database.taskSchema());
        set(environment, "SWEEP_USER", database.address().user());
        set(environment, "SWEEP_PASSWORD", database.address().password());
        return new DemoWorkerProcess(name, builder.start(), log);
    }

    private static List<String> commandLine(DemoDatabase database, Misfortune misfortune) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(JVM_OPTIONS);
        words.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
        words.addAll(List.of(Main.class.getName(), "demo-worker"));
        words.addAll(List.of("--shop-schema", database.shopSchema()));
        words.addAll(List.of("--seed", Long.toString(misfortune.seed())));
        words.addAll(List.of("--failing-share", Double.toString(misfortune.share())));
        return words;
    }

    private static void set(Map<String, String> environment, String name, @Nullable String value) {
        if (value == null) {
            environment.remove(name);
        } else {
            environment.put(name, value);
        }
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL: it gets no chance to tidy up. Returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Throws with the end of its log if it has ended, which it never does by itself. */
    void checkAlive() throws IOException {
        if (!process.isAlive()) {
            String text = Files.readString(log, StandardCharsets.UTF_8).strip();
            throw new CliException(
                    ExitCode.FAILED,
                    name + " ended with exit code " + process.exitValue() + "; its log ends with: "
                            + text.substring(Math.max(0, text.length() - SHOWN_LOG_CHARS)));
        }
    }

    /** Ends it well by closing its stdin; kills it if that takes long, which costs nothing: its tasks are safe. */
    @Override
    public void close() {
        try (var stdin = process.getOutputStream()) {
            stdin.flush();
        } catch (IOException gone) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException inAHurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name + " (pid " + pid() + ")";
    }
}
