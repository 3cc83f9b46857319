package dev.sweep.jmh;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.worker.Worker;
import java.util.Collections;
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
 * How many tasks a second go all the way in one process? One call enqueues the tasks, a thousand at a time, while a worker
 * that was idle is told of them, claims them, runs a handler that does nothing and records the outcomes; it ends when the
 * last outcome is durable.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class EndToEndBenchmark {

    private static final TaskType<Json> TYPE = TaskType.json(Seed.TYPE);
    private static final int LOT = 1_000;

    @Param("20000")
    public int tasks;

    @Param({"PLAIN", "WEEKS_8"})
    public Layout layout;

    private Installation installation;
    private Outcomes outcomes;
    private Worker worker;
    private Sweep sweep;
    private List<NewTask<Json>> lot;

    @Setup(Level.Trial)
    public void open() {
        installation = Installation.open(layout);
        outcomes = new Outcomes();
        sweep = Sweep.create(installation.store());
        worker = Worker.builder(sweep)
                .handle(TYPE, (payload, context) -> {})
                .logging(outcomes)
                .build();
        worker.start();
        lot = Collections.nCopies(LOT, TYPE.with(Json.of(Seed.PAYLOAD)));
    }

    @Setup(Level.Invocation)
    public void prepare() {
        installation.meter().start();
    }

    @Benchmark
    public void run(Tally tally) throws InterruptedException {
        outcomes.expect(tasks);
        for (int left = tasks; left > 0; left -= LOT) {
            sweep.enqueueAll(lot.subList(0, Math.min(LOT, left)));
        }
        outcomes.await();
        tally.tasks += tasks;
    }

    @TearDown(Level.Invocation)
    public void stop() {
        installation.meter().stop(tasks);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        worker.close();
        installation.close();
    }
}
