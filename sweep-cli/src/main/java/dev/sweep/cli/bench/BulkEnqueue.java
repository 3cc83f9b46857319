package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/** One producer enqueues in transactions of a thousand. */
final class BulkEnqueue implements Workload {

    private static final int BATCH = 1_000;

    private final String name;
    private final boolean isKeyed;

    BulkEnqueue(String name, boolean isKeyed) {
        this.name = name;
        this.isKeyed = isKeyed;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String about() {
        return "one producer, " + BATCH + " tasks a transaction, "
                + (isKeyed ? "each with a dedup key of its own" : "without dedup keys");
    }

    @Override
    public Figure answer() {
        return Figure.TASKS_PER_SECOND;
    }

    @Override
    public Set<Ability> needs() {
        return isKeyed ? Set.of(Ability.KEYS) : Set.of();
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        arena.prepare(0);
        BenchPlan plan = arena.plan();
        long tasks = plan.warmUp() + plan.tasks();
        Order order = Order.producer(arena.contender(), tasks, BATCH, 1, plan.payloadBytes());
        Figures figures = Throughput.of(arena, plan.warmUp(), isKeyed ? order.keyed() : order);
        arena.check(tasks, 0);
        return figures;
    }
}
