package dev.sweep.jmh;

import dev.sweep.StatusCount;
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

/** What does a look at the counts cost, with so many tasks in the tables? One call is one statement; it changes nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class StatsBenchmark {

    @Param({"1000", "1000000"})
    public int waiting;

    @Param({"0", "1000000"})
    public int finished;

    private Installation installation;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(Layout.PLAIN);
        Seed seed = new Seed(installation, Layout.PLAIN);
        seed.waiting(waiting);
        seed.finished(finished);
        seed.settle();
    }

    @Benchmark
    public List<StatusCount> counts() {
        return installation.store().counts();
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        installation.close();
    }
}
