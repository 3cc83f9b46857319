package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.TaskContext;
import dev.sweep.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProgramHandlerTest {

    private static final Json PAYLOAD = Json.of("{\"to\":\"a@b.c\",\"n\":1.10}");

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final StopSignal stop = StopSignal.listen(Duration.ofSeconds(1));
    private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();

    @AfterEach
    void endThreads() {
        stop.close();
        threads.shutdownNow();
    }

    @Test
    void programGetsPayloadArgumentsAndTask() throws Exception {
        Outcome outcome = run("cat; echo \" $1 $SWEEP_TASK_ID $SWEEP_TASK_TYPE $SWEEP_ATTEMPT $SWEEP_QUEUE"
                + " $SWEEP_PRIORITY $SWEEP_FENCING_NUMBER $SWEEP_MAX_RETRIES\"");

        assertThat(outcome).isEqualTo(Outcome.complete());
        assertThat(printed).containsExactly("[task 42] " + PAYLOAD.text() + " first 42 mail 2 slow 7 99 3");
    }

    @Test
    void exitCodesBecomeOutcomes() throws Exception {
        assertThat(run("exit 0")).isEqualTo(Outcome.complete());
        assertThat(run("exit 75")).isEqualTo(Outcome.snooze(Duration.ofSeconds(10)));
        assertThat(run("echo out; echo no such customer >&2; exit 3"))
                .isEqualTo(Outcome.retry("the program ended with exit code 3: no such customer"));
        assertThat(run("exit 1")).isEqualTo(Outcome.retry("the program ended with exit code 1"));
        assertThat(run("kill -9 $$")).isEqualTo(Outcome.retry("the program ended with exit code 137"));
    }

    @Test
    void bigPayloadThatIsNotReadIsNoError() throws Exception {
        Json big = Json.of('"' + "x".repeat(1 << 20) + '"');

        assertThat(handler("exit 0").handle(big, new Context())).isEqualTo(Outcome.complete());
        assertThat(handler("wc -c").handle(big, new Context())).isEqualTo(Outcome.complete());
        assertThat(printed).hasSize(1).first().asString().contains(Integer.toString((1 << 20) + 2));
    }

    @Test
    void onlyTheEndOfALongErrorIsKept() throws Exception {
        Outcome outcome = run("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1");

        assertThat(((Outcome.Retry) outcome).reason())
                .hasSizeLessThan(OutputTail.TAIL_BYTES + 100)
                .endsWith("line 2999");
        assertThat(printed).hasSize(3_000);
    }

    @Test
    void childThatOutlivesTheProgramDoesNotHoldTheTask() throws Exception {
        Path pid = folder.resolve("pid");

        assertThat(run("sleep 600 & echo $! > " + pid)).isEqualTo(Outcome.complete());

        Optional<ProcessHandle> child =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
        assertThat(child).isPresent();
        child.get().destroyForcibly();
    }

    @Test
    void interruptKillsTheProgramAndItsChildren() throws Exception {
        Path pids = folder.resolve("pids");
        CountDownLatch ready = new CountDownLatch(1);
        ProgramHandler handler = handler(
                "trap '' TERM; sleep 600 & printf '%s\\n' $! $$ > " + pids + "; echo ready; while :; do wait; done",
                line -> ready.countDown());
        CompletableFuture<Thread> runner = new CompletableFuture<>();
        Future<Outcome> outcome = threads.submit(() -> {
            runner.complete(Thread.currentThread());
            return handler.handle(PAYLOAD, new Context());
        });
        assertThat(ready.await(30, TimeUnit.SECONDS)).isTrue();

        runner.get().interrupt();

        assertThatThrownBy(() -> outcome.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        for (String pid : Files.readAllLines(pids)) {
            Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(pid));
            if (process.isPresent()) {
                process.get().onExit().get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void programEndedByTheSignalThatStopsTheWorkerCostsNoRetry() throws Exception {
        assertThat(run("kill -TERM $$")).isEqualTo(Outcome.retry("the program ended with exit code 143"));

        stop.request();

        assertThat(run("kill -TERM $$")).isEqualTo(Outcome.snooze(Duration.ZERO));
        // As if by SIGINT, which a process started in the background ignores, and so does what it starts.
        assertThat(run("exit 130")).isEqualTo(Outcome.snooze(Duration.ZERO));
    }

    private Outcome run(String script) throws IOException, InterruptedException {
        return handler(script).handle(PAYLOAD, new Context());
    }

    private ProgramHandler handler(String script) {
        return handler(script, printed::add);
    }

    private ProgramHandler handler(String script, Consumer<String> echo) {
        Program program = new Program(Path.of("/bin/sh"), List.of("-c", script, "sh", "first"));
        return new ProgramHandler(program, Duration.ofSeconds(10), stop, echo, threads);
    }

    private record Context() implements TaskContext {

        @Override
        public TaskId id() {
            return TaskId.of(42);
        }

        @Override
        public String type() {
            return "mail";
        }

        @Override
        public String queue() {
            return "slow";
        }

        @Override
        public int priority() {
            return 7;
        }

        @Override
        public int attempt() {
            return 2;
        }

        @Override
        public int maxRetries() {
            return 3;
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public long fencingNumber() {
            return 99;
        }
    }
}
