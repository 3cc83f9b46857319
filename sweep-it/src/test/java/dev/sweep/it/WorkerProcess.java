package dev.sweep.it;

import dev.sweep.TaskId;
import dev.sweep.TaskType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A worker in a JVM of its own ({@link WorkerMain}), which a test can kill and freeze. Killed when it is closed. */
final class WorkerProcess implements AutoCloseable {

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private WorkerProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "reads-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** What to start; the lease is 1 s and the slots are 4 unless said otherwise. */
    static Builder of(Database database, String name) {
        return new Builder(database, name);
    }

    /** Waits until it has said a line, such as {@code started} or {@code running hold 42}. */
    WorkerProcess awaitLine(String line) {
        Awaiting.until("the process says '" + line + "'; it said " + lines, () -> lines.contains(line));
        return this;
    }

    WorkerProcess awaitRunning(TaskType<?> type, TaskId id) {
        return awaitLine("running " + type + " " + id);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Lets all that waits for the word go on. */
    void go() {
        tell("go");
    }

    /** Closes the worker as an application would, and waits for the process to end. */
    void stop() throws InterruptedException {
        tell("stop");
        awaitEnd();
    }

    /** SIGKILL. By its handle, which leaves what it has said to be read. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        awaitEnd();
    }

    /** SIGSTOP: nothing in it runs any more, and nobody is told. */
    void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    void thaw() {
        signal("CONT");
    }

    /** Until all is read that it said, too. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("process " + process.pid() + " does not end; it said " + lines);
        }
        reader.join(60_000);
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private void tell(String word) {
        try {
            Writer stdin = process.outputWriter(StandardCharsets.UTF_8);
            stdin.write(word + "\n");
            stdin.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("process " + process.pid() + " does not listen; it said " + lines, e);
        }
    }

    /** Sends a signal by its name, such as {@code TERM}. */
    void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new AssertionError("kill -" + signal + " of process " + process.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException ended) {
            // The process is gone; what it said is kept.
        }
    }

    /** Collects what a process is to be. */
    static final class Builder {

        private final Database database;
        private final String name;
        private final List<String> jvmOptions = new ArrayList<>();
        private Duration lease = Duration.ofSeconds(1);
        private int slots = 4;
        private String url;

        private Builder(Database database, String name) {
            this.database = database;
            this.name = name;
            this.url = database.server.jdbcUrl();
        }

        /** The way to the server, such as through a {@link TcpProxy}. */
        Builder url(String jdbcUrl) {
            this.url = jdbcUrl;
            return this;
        }

        Builder lease(Duration lease) {
            this.lease = lease;
            return this;
        }

        Builder slots(int slots) {
            this.slots = slots;
            return this;
        }

        Builder jvmOption(String option) {
            jvmOptions.add(option);
            return this;
        }

        /** Its worker closes itself when the process is told to end, and it then says {@code closing}. */
        Builder closeOnShutdown() {
            return jvmOption("-D" + WorkerMain.CLOSE_ON_SHUTDOWN + "=true");
        }

        Builder stopTimeout(Duration timeout) {
            return jvmOption("-D" + WorkerMain.STOP_MILLIS + "=" + timeout.toMillis());
        }

        /** Starts a worker with handlers for these types, and waits until it works. */
        WorkerProcess start(TaskType<?>... types) {
            List<String> command = new ArrayList<>();
            command.add(ProcessHandle.current().info().command().orElse("java"));
            command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
            command.addAll(jvmOptions);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerMain.class.getName()));
            command.addAll(List.of(url, database.server.user(), database.server.password()));
            command.addAll(List.of(database.schema, name, Long.toString(lease.toMillis()), Integer.toString(slots)));
            Arrays.stream(types).map(TaskType::name).forEach(command::add);
            try {
                Process process = new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                return new WorkerProcess(process).awaitLine("started");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
