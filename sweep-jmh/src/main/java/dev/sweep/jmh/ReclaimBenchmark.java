package dev.sweep.jmh;

import dev.sweep.spi.Reclaimed;
import java.time.Duration;
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
 * How fast do the tasks of a vanished process wait again? One call reclaims one lapsed lease with all its attempts: a look,
 * then a transaction. Between the calls, not measured, another process claims and vanishes, and what was reclaimed is
 * removed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ReclaimBenchmark {

    private static final int BACKLOG = 20_000;
    private static final Duration BRIEF = Duration.ofMillis(1);

    @Param({"50", "1000"})
    public int batch;

    private Installation installation;
    private Backlog waiting;
    private int reclaimed;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(Layout.PLAIN);
        waiting = new Backlog(new Seed(installation, Layout.PLAIN), BACKLOG);
    }

    @Setup(Level.Invocation)
    public void claimAndVanish() {
        waiting.refill();
        waiting.owe(Backlog.claim(installation.store(), batch, BRIEF).size());
        installation.execute("select pg_sleep(0.002)");
        installation.meter().start();
    }

    @Benchmark
    public Reclaimed reclaim(Tally tally) {
        Reclaimed answer = installation.store().reclaim(BRIEF, batch);
        reclaimed = answer.size();
        tally.tasks += reclaimed;
        return answer;
    }

    @TearDown(Level.Invocation)
    public void clear() {
        installation.meter().stop(reclaimed);
        if (reclaimed != batch) {
            throw new IllegalStateException("of " + batch + " lost attempts " + reclaimed + " were reclaimed");
        }
        installation.execute("delete from sweep.task_ready where losses > 0");
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        installation.close();
    }
}
