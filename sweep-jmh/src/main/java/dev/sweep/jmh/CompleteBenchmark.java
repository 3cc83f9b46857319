package dev.sweep.jmh;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
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
 * How many attempts can be ended well? One call completes what one claim brought: a statement and a commit. The claims
 * between the calls are not measured. Outcomes pile up, as they do in production until retention takes them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CompleteBenchmark {

    private static final int BACKLOG = 20_000;

    @Param({"1", "10", "50", "200", "1000"})
    public int batch;

    @Param({"PLAIN", "WEEKS_8", "WEEKS_52"})
    public Layout layout;

    private Installation installation;
    private Backlog waiting;
    private List<Completion> completions;
    private Set<Attempt> accepted;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(layout);
        waiting = new Backlog(new Seed(installation, layout), BACKLOG);
        completions = List.of();
        accepted = Set.of();
    }

    @Setup(Level.Invocation)
    public void claim() {
        waiting.refill();
        List<ClaimedTask> held = Backlog.claim(installation.store(), batch, Backlog.LEASE);
        waiting.owe(held.size());
        completions = Backlog.completionsOf(held);
        installation.meter().start();
    }

    @Benchmark
    public Set<Attempt> complete(Tally tally) {
        accepted = installation.store().complete(completions);
        tally.tasks += accepted.size();
        return accepted;
    }

    @TearDown(Level.Invocation)
    public void check() {
        installation.meter().stop(accepted.size());
        if (accepted.size() != batch) {
            throw new IllegalStateException("of " + batch + " completions " + accepted.size() + " were accepted");
        }
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        installation.close();
    }
}
