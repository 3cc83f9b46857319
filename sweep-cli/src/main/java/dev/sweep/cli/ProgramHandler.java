package dev.sweep.cli;

import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.OutcomeHandler;
import dev.sweep.TaskContext;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs each task through a program of the user's: payload on stdin, the rest in the environment. Its exit code is the
 * outcome. An interrupt ends the program and all that it started.
 */
final class ProgramHandler implements OutcomeHandler<Json> {

    static final int SNOOZE = 75;

    /** What a program ends with that Ctrl-C or a service manager ended together with this worker. */
    private static final List<Integer> STOPPED_BY_SIGNAL = List.of(128 + 2, 128 + 15);

    /** Between SIGTERM and SIGKILL; the engine hands a stopped task back only if its handler ends within a second. */
    private static final Duration GRACE = Duration.ofMillis(300);
    /** How long after a program's end its output may still come, such as from a child that it left behind. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final Program program;
    private final Duration snooze;
    private final StopSignal stop;
    private final Consumer<String> echo;
    private final ExecutorService pumps;

    /**
     * @param snooze how much later a program that ends with 75 wants to run again
     * @param stop tells that this worker is being stopped
     * @param echo gets each line that a program prints, named by its task
     * @param pumps threads that move bytes to and from programs: three per program at most
     */
    ProgramHandler(Program program, Duration snooze, StopSignal stop, Consumer<String> echo, ExecutorService pumps) {
        this.program = program;
        this.snooze = snooze;
        this.stop = stop;
        this.echo = echo;
        this.pumps = pumps;
    }

    @Override
    public Outcome handle(Json payload, TaskContext context) throws IOException, InterruptedException {
        Process process = start(context);
        OutputTail errors = new OutputTail(line -> echo(context, line));
        OutputTail output = new OutputTail(line -> echo(context, line));
        CompletableFuture<Void> printed = CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> errors.drain(process.getErrorStream()), pumps),
                CompletableFuture.runAsync(() -> output.drain(process.getInputStream()), pumps));
        pumps.execute(() -> feed(process, payload));
        int exitCode;
        try {
            exitCode = process.waitFor();
        } catch (InterruptedException stopped) {
            killTree(process);
            throw stopped;
        }
        printed.completeOnTimeout(null, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return outcome(exitCode, errors.tail());
    }

    private Process start(TaskContext context) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.commandLine());
        Map<String, String> environment = builder.environment();
        environment.put("SWEEP_TASK_ID", context.id().toString());
        environment.put("SWEEP_TASK_TYPE", context.type());
        environment.put("SWEEP_ATTEMPT", Integer.toString(context.attempt()));
        environment.put("SWEEP_QUEUE", context.queue());
        environment.put("SWEEP_PRIORITY", Integer.toString(context.priority()));
        environment.put("SWEEP_FENCING_NUMBER", Long.toString(context.fencingNumber()));
        environment.put("SWEEP_MAX_RETRIES", Integer.toString(context.maxRetries()));
        return builder.start();
    }

    /** A program need not read its input: then the pipe breaks, and that is no error. */
    private static void feed(Process process, Json payload) {
        try (OutputStream input = process.getOutputStream()) {
            input.write(payload.text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException notRead) {
            // The exit code alone says how it went.
        }
    }

    private Outcome outcome(int exitCode, String lastErrors) throws InterruptedException {
        if (exitCode == 0) {
            return Outcome.complete();
        }
        if (exitCode == SNOOZE) {
            return Outcome.snooze(snooze);
        }
        if (STOPPED_BY_SIGNAL.contains(exitCode) && stop.await(LAST_WORDS)) {
            return Outcome.snooze(Duration.ZERO);
        }
        String reason = "the program ended with exit code " + exitCode;
        return Outcome.retry(lastErrors.isEmpty() ? reason : reason + ": " + lastErrors);
    }

    private void echo(TaskContext context, String line) {
        echo.accept("[task " + context.id() + "] " + line);
    }

    private static void killTree(Process process) {
        List<ProcessHandle> tree = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        tree.forEach(ProcessHandle::destroy);
        try {
            process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        tree.forEach(ProcessHandle::destroyForcibly);
    }
}
