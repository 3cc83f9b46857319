package dev.sweep.jmh;

import dev.sweep.Enqueued;
import dev.sweep.spi.TaskRecord;
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
 * How many tasks can one producer enqueue? One call is one set: a statement and a commit; a batch of 1 is what an
 * application pays for a single task. Of {@code HALF_TAKEN} keys half the tasks are duplicates: they count as tasks, too.
 * Each iteration begins with empty tables.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class EnqueueBenchmark {

    @Param({"1", "100", "1000"})
    public int batch;

    @Param({"NONE", "NEW", "HALF_TAKEN"})
    public Keys keys;

    @Param({"PLAIN", "WEEKS_8"})
    public Layout layout;

    private Installation installation;
    private NewTasks tasks;
    private List<TaskRecord> next;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(layout);
        tasks = new NewTasks(keys);
        next = List.of();
    }

    @Setup(Level.Iteration)
    public void empty() {
        installation.execute("truncate sweep.task, sweep.task_ready, sweep.task_key");
        tasks = new NewTasks(keys);
    }

    @Setup(Level.Invocation)
    public void prepare() {
        next = tasks.next(batch);
        installation.meter().start();
    }

    @Benchmark
    public List<Enqueued> enqueue(Tally tally) {
        tally.tasks += batch;
        return installation.store().enqueue(next);
    }

    @TearDown(Level.Invocation)
    public void stop() {
        installation.meter().stop(batch);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        installation.close();
    }
}
