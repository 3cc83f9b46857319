package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;

/** Several producers enqueue one by one, each its own commit. */
final class SingleEnqueue implements Workload {

    /** One commit costs as much as a batch: so many fewer tasks are enough. */
    private static final int FEWER = 10;

    @Override
    public String name() {
        return "enqueue-single";
    }

    @Override
    public String about() {
        return "producers (--producers) enqueue one by one, each its own commit; a tenth of --tasks";
    }

    @Override
    public Figure answer() {
        return Figure.TASKS_PER_SECOND;
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        arena.prepare(0);
        BenchPlan plan = arena.plan();
        long warmUp = plan.warmUp() / FEWER;
        long tasks = warmUp + Math.max(1, plan.tasks() / FEWER);
        Order order = Order.producer(arena.contender(), tasks, 1, plan.producers(), plan.payloadBytes());
        Figures figures = Throughput.of(arena, warmUp, order);
        arena.check(tasks, 0);
        return figures;
    }
}
