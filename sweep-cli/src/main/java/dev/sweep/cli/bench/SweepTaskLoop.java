package dev.sweep.cli.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;

/** A worker as applications have it. */
final class SweepTaskLoop implements TaskLoop {

    /** What a worker keeps, and one for the source of wake-ups. */
    static final int CONNECTIONS = 6;

    private final HikariDataSource pool;
    private final Sweep sweep;
    private final Worker worker;

    SweepTaskLoop(HikariDataSource pool, Sweep sweep, int concurrency, Progress progress) {
        this.pool = pool;
        this.sweep = sweep;
        WorkerBuilder builder = Worker.builder(sweep)
                .handle(SweepContender.TYPE, (payload, context) -> progress.started(payload.text()))
                .listener(event -> tell(event, progress));
        if (concurrency > 0) {
            builder.queue(TaskType.DEFAULT_QUEUE, concurrency);
        }
        this.worker = builder.build();
    }

    private static void tell(TaskEvent event, Progress progress) {
        if (event instanceof TaskEvent.TasksClaimed) {
            progress.claimed();
        } else if (event instanceof TaskEvent.OutcomesRecorded recorded) {
            progress.finished(recorded.count());
        } else if (event instanceof TaskEvent.WorkerStopped stopped) {
            // That unstarted tasks went back was recorded, and so counted, as an outcome.
            progress.finished(-stopped.released());
        }
    }

    @Override
    public void start() {
        worker.start();
    }

    @Override
    public void close() {
        try (pool;
                sweep) {
            worker.close();
        }
    }
}
