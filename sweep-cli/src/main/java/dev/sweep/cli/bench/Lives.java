package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/** What the whole life of a task costs: enqueue, claim and completion in batches, at a shallow queue. */
final class Lives implements Workload {

    private static final int BATCH = 200;
    private static final int THREADS = 2;

    @Override
    public String name() {
        return "life";
    }

    @Override
    public String about() {
        return "enqueue, claim, complete in batches of " + BATCH + " on " + THREADS + " connections";
    }

    @Override
    public Figure answer() {
        return Figure.SERVER_MICROS;
    }

    @Override
    public Set<Ability> needs() {
        return Set.of(Ability.BATCHES);
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        arena.prepare(0);
        BenchPlan plan = arena.plan();
        long tasks = plan.warmUp() + plan.tasks();
        Order order = Order.lives(arena.contender(), tasks, BATCH, THREADS, plan.payloadBytes());
        Figures figures = Throughput.of(arena, plan.warmUp(), order);
        arena.check(tasks, tasks);
        return figures;
    }
}
