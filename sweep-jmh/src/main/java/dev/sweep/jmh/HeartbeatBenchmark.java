package dev.sweep.jmh;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does a beat of one process cost? One call extends all its leases and asks about all its attempts: a statement and a
 * commit. {@code tasks} are attempts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class HeartbeatBenchmark {

    @Param({"1", "20"})
    public int leases;

    /** Under all leases together. */
    @Param({"20", "1000"})
    public int attempts;

    private Installation installation;
    private HeartbeatRequest request;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(Layout.PLAIN);
        Seed seed = new Seed(installation, Layout.PLAIN);
        seed.waiting(attempts);
        seed.settle();
        request = claimAll();
    }

    private HeartbeatRequest claimAll() {
        Set<Long> held = new HashSet<>();
        Set<Attempt> running = new HashSet<>();
        for (int i = 0; i < leases; i++) {
            Backlog.claim(installation.store(), attempts / leases, Backlog.LEASE).stream()
                    .map(ClaimedTask::attempt)
                    .forEach(attempt -> {
                        held.add(attempt.lease());
                        running.add(attempt);
                    });
        }
        return new HeartbeatRequest(Backlog.WORKER, Backlog.LEASE, held, running);
    }

    @Setup(Level.Invocation)
    public void prepare() {
        installation.meter().start();
    }

    @Benchmark
    public Heartbeat heartbeat(Tally tally) {
        Heartbeat answer = installation.store().heartbeat(request);
        if (answer.extended().size() != leases || !answer.gone().isEmpty()) {
            throw new IllegalStateException(
                    "of " + leases + " leases " + answer.extended().size() + " were extended, and "
                            + answer.gone().size() + " attempts are gone");
        }
        tally.tasks += attempts;
        return answer;
    }

    @TearDown(Level.Invocation)
    public void stop() {
        installation.meter().stop(attempts);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        installation.close();
    }
}
