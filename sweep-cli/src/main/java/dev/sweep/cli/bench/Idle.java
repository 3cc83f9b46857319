package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** What workers ask of the database while there is nothing to do. */
final class Idle implements Workload {

    /** Until a worker has come to rest, and its sessions have told what they did before. */
    private static final Duration SETTLING = Duration.ofSeconds(12);

    private static final double MILLIS_PER_SECOND = 1_000;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String about() {
        return "workers with nothing to do for --seconds: transactions a second and process";
    }

    @Override
    public Figure answer() {
        return Figure.TRANSACTIONS_PER_SECOND;
    }

    @Override
    public boolean needsIdleWorkers() {
        return true;
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        arena.prepare(0);
        ServerCounters counters = arena.meter().counters();
        Duration time = arena.plan().duration();
        try (Crew workers = arena.startWorkers(false)) {
            workers.go();
            arena.pause().pause(SETTLING);
            long before = counters.transactions();
            arena.pause().pause(time);
            long transactions = counters.transactions() - before;
            workers.stop();
            arena.check(0, 0);
            double seconds = time.toMillis() / MILLIS_PER_SECOND;
            return Figures.NONE
                    .with(Figure.SECONDS, seconds)
                    .with(Figure.TRANSACTIONS_PER_SECOND, transactions / seconds / workers.size());
        }
    }
}
