package dev.sweep.jmh;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Failure;
import java.time.Duration;
import java.util.List;
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
 * How many failed attempts can be noted, with their tasks put back for the next attempt? One call is a statement and a
 * commit. The claims between the calls are not measured; they take the same tasks again and again, as each is due at once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class FailBenchmark {

    private static final int BACKLOG = 20_000;

    @Param({"1", "50", "200"})
    public int batch;

    @Param({"PLAIN", "WEEKS_8"})
    public Layout layout;

    private Installation installation;
    private List<Failure> failures;
    private Set<Attempt> accepted;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(layout);
        Seed seed = new Seed(installation, layout);
        seed.waiting(BACKLOG);
        seed.settle();
        failures = List.of();
        accepted = Set.of();
    }

    @Setup(Level.Invocation)
    public void claim() {
        failures = Backlog.claim(installation.store(), batch, Backlog.LEASE).stream()
                .map(FailBenchmark::failureOf)
                .toList();
        installation.meter().start();
    }

    private static Failure failureOf(ClaimedTask task) {
        return new Failure(
                task.attempt(),
                Duration.ofMillis(1),
                Duration.ZERO,
                "java.io.IOException",
                "no answer from the mail server");
    }

    @Benchmark
    public Set<Attempt> fail(Tally tally) {
        accepted = installation.store().fail(failures);
        tally.tasks += accepted.size();
        return accepted;
    }

    @TearDown(Level.Invocation)
    public void check() {
        installation.meter().stop(accepted.size());
        if (accepted.size() != batch) {
            throw new IllegalStateException("of " + batch + " failures " + accepted.size() + " were accepted");
        }
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        installation.close();
    }
}
