package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;

/** Whether a steady stream of single enqueues holds, with workers running beside it. */
final class Sustained implements Workload {

    @Override
    public String name() {
        return "sustained";
    }

    @Override
    public String about() {
        return "producers (--producers) enqueue --rate single tasks a second for --seconds while workers run";
    }

    @Override
    public Figure answer() {
        return Figure.MACHINE_PERCENT;
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        arena.prepare(0);
        BenchPlan plan = arena.plan();
        long tasks = plan.perSecond() * Math.max(1, plan.duration().toSeconds());
        Order order = Order.producer(arena.contender(), tasks, 1, plan.producers(), plan.payloadBytes())
                .perSecond(plan.perSecond());
        Meter.Run meter = arena.meter().prepare();
        try (Crew workers = arena.startWorkers(false);
                Crew producers = arena.start(1, order)) {
            workers.go();
            meter.begin(() -> workers.cpu().plus(producers.cpu()));
            producers.go();
            Tally enqueued = producers.await(tasks);
            long done = workers.tally().count();
            meter.end(() -> workers.cpu().plus(producers.cpu()));
            workers.await(tasks);
            producers.stop();
            arena.check(tasks, workers.stop().count());
            return Figures.NONE
                    .with(Figure.TASKS, tasks)
                    .with(Figure.SECONDS, enqueued.seconds())
                    .with(Figure.TASKS_PER_SECOND, tasks / enqueued.seconds())
                    .with(Figure.BACKLOG, arena.openBefore() + tasks - done)
                    .with(meter.figures(tasks, tasks));
        }
    }
}
