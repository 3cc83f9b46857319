package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;

/** Processes that do a stated number of tasks as fast as they can. */
final class Throughput {

    private Throughput() {}

    /** Runs one process that ends by itself, and stops it; the first tasks are not measured. */
    static Figures of(Arena arena, long warmUp, Order order) throws SQLException, IOException, InterruptedException {
        Meter.Run meter = arena.meter().prepare();
        try (Crew crew = arena.start(1, order)) {
            return measure(meter, crew, warmUp, order.tasks()).figures();
        }
    }

    /**
     * Lets a crew do so many tasks, and stops it.
     *
     * @param warmUp how many of them are done before the measurement begins
     */
    static Measured measure(Meter.Run meter, Crew crew, long warmUp, long tasks)
            throws SQLException, IOException, InterruptedException {
        crew.go();
        Tally warm = crew.await(warmUp);
        meter.begin(crew::cpu);
        // The meters are read while work goes on: the costs are those of the tasks that came after.
        long before = crew.tally().count();
        Tally last = crew.await(tasks);
        meter.end(crew::cpu);
        Tally stopped = crew.stop();
        Tally tally = last.since(warm);
        if (tally.count() == 0) {
            throw new BenchException(tasks + " tasks were all done before the " + warmUp
                    + " of the warm-up could be told; raise --tasks, or set --warm-up 0");
        }
        Figures costs = meter.figures(last.count() - before, stopped.count());
        return new Measured(
                stopped.count(),
                Figures.NONE
                        .with(Figure.TASKS, tally.count())
                        .with(Figure.SECONDS, tally.seconds())
                        .with(Figure.TASKS_PER_SECOND, tally.count() / tally.seconds())
                        .with(costs));
    }

    /**
     * What came of it.
     *
     * @param done how many tasks had been done when all had stopped
     */
    record Measured(long done, Figures figures) {}
}
