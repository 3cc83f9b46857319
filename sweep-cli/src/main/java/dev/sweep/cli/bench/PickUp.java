package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** How soon an idle worker begins a task: from just before the enqueue call to the handler's start. */
final class PickUp implements Workload {

    /** One each 20 ms. */
    private static final int PER_SECOND = 50;

    /** So many come first, unmeasured. */
    private static final int WARM_UP = 3 * PER_SECOND;

    private static final double MICROS_PER_MILLI = 1_000;
    private static final double P50 = 0.50;
    private static final double P95 = 0.95;
    private static final double P99 = 0.99;

    @Override
    public String name() {
        return "pick-up";
    }

    @Override
    public String about() {
        return "one single enqueue each 20 ms for --seconds: from before the call to the handler's start";
    }

    @Override
    public Figure answer() {
        return Figure.P50_MILLIS;
    }

    @Override
    public boolean needsIdleWorkers() {
        return true;
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        arena.prepare(0);
        BenchPlan plan = arena.plan();
        long tasks = WARM_UP + PER_SECOND * plan.duration().toSeconds();
        Order order = Order.producer(arena.contender(), tasks, 1, 1, plan.payloadBytes())
                .perSecond(PER_SECOND);
        Meter.Run meter = arena.meter().prepare();
        try (Crew workers = arena.startWorkers(true);
                Crew producer = arena.start(1, order)) {
            workers.go();
            meter.begin(() -> workers.cpu().plus(producer.cpu()));
            producer.go();
            producer.await(tasks);
            workers.await(tasks);
            meter.end(() -> workers.cpu().plus(producer.cpu()));
            producer.stop();
            workers.stop();
            arena.check(tasks, tasks);
            return ages(workers.ages()).with(meter.figures(tasks, tasks));
        }
    }

    private static Figures ages(List<Long> micros) {
        Statistics ages = Statistics.of(
                micros.stream().skip(WARM_UP).map(age -> age / MICROS_PER_MILLI).toList());
        return Figures.NONE
                .with(Figure.TASKS, micros.size() - WARM_UP)
                .with(Figure.P50_MILLIS, ages.percentile(P50))
                .with(Figure.P95_MILLIS, ages.percentile(P95))
                .with(Figure.P99_MILLIS, ages.percentile(P99))
                .with(Figure.MAX_MILLIS, ages.max());
    }
}
