package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/** Workers work off what waits: from the first claim to the last task's durable end. */
final class Drain implements Workload {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public String about() {
        return "workers (--workers) work off --tasks that wait, besides --backlog more";
    }

    @Override
    public Figure answer() {
        return Figure.TASKS_PER_SECOND;
    }

    @Override
    public Set<Ability> needs() {
        return Set.of(Ability.STOCK);
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        long warmUp = arena.plan().warmUp();
        long tasks = warmUp + arena.plan().tasks();
        arena.prepare(tasks);
        Meter.Run meter = arena.meter().prepare();
        try (Crew workers = arena.startWorkers(false)) {
            Throughput.Measured measured = Throughput.measure(meter, workers, warmUp, tasks);
            arena.check(0, measured.done());
            return measured.figures();
        }
    }
}
