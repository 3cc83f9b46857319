package dev.sweep.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link BenchProcess}, seen from the parent. */
final class ChildProcess implements AutoCloseable {

    private static final List<String> JVM_OPTIONS = List.of("-Xms512m", "-Xmx512m", "-Xshare:auto");
    private static final int SHOWN_LOG_CHARS = 1_000;
    private static final long END_SECONDS = 90;

    private final Process process;
    private final Path log;
    private final Thread reader = new Thread(this::read, "bench-child");
    private volatile boolean isReady;
    private volatile boolean hasEnded;
    private volatile Tally tally = Tally.NONE;
    private volatile List<Long> ages = List.of();

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it with this JVM's class path. The password goes through the environment, which others can't read.
     *
     * @param log where its stderr goes
     */
    static ChildProcess start(Order order, Place place, Path log) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(JVM_OPTIONS);
        words.addAll(List.of("-cp", System.getProperty("java.class.path", ""), BenchProcess.class.getName()));
        words.addAll(order.words());
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(log.toFile());
        Map<String, String> environment = builder.environment();
        set(environment, BenchProcess.URL, place.jdbcUrl());
        set(environment, BenchProcess.SCHEMA, place.schema());
        set(environment, BenchProcess.USER, place.user());
        set(environment, BenchProcess.PASSWORD, place.password());
        ChildProcess child = new ChildProcess(builder.start(), log);
        child.reader.setDaemon(true);
        child.reader.start();
        return child;
    }

    private static void set(Map<String, String> environment, String name, @Nullable String value) {
        if (value == null) {
            environment.remove(name);
        } else {
            environment.put(name, value);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line.split(" ", -1));
            }
        } catch (IOException gone) {
            // It has ended, which whoever waits for it finds out.
        }
    }

    private void hear(String[] words) {
        switch (words[0]) {
            case "ready" -> isReady = true;
            case "at" ->
                tally = new Tally(Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            case "ages" ->
                ages = Arrays.stream(words[1].split(",", -1)).map(Long::valueOf).toList();
            case "end" -> hasEnded = true;
            default -> throw new IllegalStateException("a process of the bench said '" + words[0] + "'");
        }
    }

    boolean isReady() {
        return isReady;
    }

    void go() throws IOException {
        say("go");
    }

    Tally tally() {
        return tally;
    }

    /** What the worker noted, in microseconds; complete once it has stopped. */
    List<Long> ages() {
        return ages;
    }

    /** The CPU time that it has used; zero where that can't be found out. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Throws with the beginning of its log if it has ended, which it does not before it is told to. */
    void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw ended();
        }
    }

    /** Returns when it has stopped well and its last words are heard. */
    void stop() throws IOException, InterruptedException {
        say("stop");
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new BenchException("a process of the bench did not stop within " + END_SECONDS + " s");
        }
        reader.join();
        if (process.exitValue() != 0 || !hasEnded) {
            throw ended();
        }
    }

    private BenchException ended() throws IOException {
        String text = Files.readString(log, StandardCharsets.UTF_8).strip();
        return new BenchException("a process of the bench ended with exit code "
                + (process.isAlive() ? "none" : process.exitValue()) + "; its log begins with: "
                + text.substring(0, Math.min(text.length(), SHOWN_LOG_CHARS)));
    }

    private void say(String word) throws IOException {
        try {
            Writer stdin = process.outputWriter(StandardCharsets.UTF_8);
            stdin.write(word + "\n");
            stdin.flush();
        } catch (IOException | UncheckedIOException gone) {
            throw ended();
        }
    }

    /** Ends it, if it has not ended. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
