package dev.sweep.cli.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Json;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TaskRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The store alone: what a worker asks of it, in batches of one size. */
final class SweepBatchLoop implements BatchLoop {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final HikariDataSource pool;
    private final JooqTaskStore store;
    private final int batch;
    private final String worker = "bench-" + UUID.randomUUID();
    private boolean isAfresh;

    SweepBatchLoop(HikariDataSource pool, JooqTaskStore store, int batch) {
        this.pool = pool;
        this.store = store;
        this.batch = batch;
    }

    @Override
    public int turn(List<String> payloads) {
        if (!payloads.isEmpty()) {
            store.enqueue(payloads.stream().map(SweepBatchLoop::task).toList());
        }
        List<ClaimedTask> claimed = store.claim(request()).tasks();
        // What others enqueued meanwhile may lie before the place where this claim began to look.
        isAfresh = claimed.isEmpty();
        return isAfresh
                ? 0
                : store.complete(claimed.stream()
                                .map(task -> new Completion(task.attempt(), Duration.ZERO))
                                .toList())
                        .size();
    }

    private ClaimRequest request() {
        return new ClaimRequest(
                worker, Set.of(SweepContender.TYPE.name()), Map.of(TaskType.DEFAULT_QUEUE, batch), 0, LEASE, isAfresh);
    }

    private static TaskRecord task(String payload) {
        return TaskRecord.of(SweepContender.TYPE.with(Json.of(payload)), payload);
    }

    @Override
    public void close() {
        try (pool) {
            store.close();
        }
    }
}
