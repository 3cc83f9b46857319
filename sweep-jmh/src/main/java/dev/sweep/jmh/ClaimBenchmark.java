package dev.sweep.jmh;

import dev.sweep.spi.ClaimedTask;
import java.util.List;
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
 * How many tasks can one claimer take? One call is one claim: a statement and a commit. Completing what was claimed, and
 * putting as many tasks back, happens between the calls and is not measured; with others at work it goes on beside them and
 * takes its part of the machine.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ClaimBenchmark {

    @Param({"1", "10", "50", "200", "1000"})
    public int batch;

    @Param({"1000", "1000000"})
    public int backlog;

    @Param({"PLAIN", "WEEKS_8", "WEEKS_52"})
    public Layout layout;

    /** Other claimers at the same queue. */
    @Param({"0", "3"})
    public int others;

    private Installation installation;
    private Backlog waiting;
    private OtherClaimers otherClaimers;
    private List<ClaimedTask> held;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(layout);
        waiting = new Backlog(new Seed(installation, layout), backlog);
        otherClaimers = new OtherClaimers(installation, waiting, others);
        held = List.of();
    }

    @Setup(Level.Invocation)
    public void prepare() {
        waiting.refill();
        installation.meter().start();
    }

    @Benchmark
    public List<ClaimedTask> claim(Tally tally) {
        held = Backlog.claim(installation.store(), batch, Backlog.LEASE);
        tally.tasks += held.size();
        return held;
    }

    @TearDown(Level.Invocation)
    public void putBack() {
        installation.meter().stop(held.size());
        if (others == 0 && held.size() < batch) {
            throw new IllegalStateException("a claim of " + batch + " brought " + held.size()
                    + " tasks of a backlog of " + backlog + "; choose a backlog that is at least the batch");
        }
        installation.store().complete(Backlog.completionsOf(held));
        waiting.owe(held.size());
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        otherClaimers.stop();
        installation.close();
    }
}
