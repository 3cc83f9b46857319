package dev.sweep.jmh.peers;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.cli.bench.Producer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Schedules through db-scheduler, at once due. */
final class DbSchedulerProducer implements Producer {

    private final HikariDataSource poolForOne;
    private final SchedulerClient one;
    private final HikariDataSource poolForMany;
    private final SchedulerClient many;

    /** The second client commits once for a batch. */
    DbSchedulerProducer(
            HikariDataSource poolForOne, SchedulerClient one, HikariDataSource poolForMany, SchedulerClient many) {
        this.poolForOne = poolForOne;
        this.one = one;
        this.poolForMany = poolForMany;
        this.many = many;
    }

    @Override
    public void enqueueAll(List<String> payloads, List<String> keys) {
        List<TaskInstance<?>> batch = new ArrayList<>(payloads.size());
        payloads.forEach(payload -> batch.add(instance(payload)));
        many.scheduleBatch(batch, Instant.now());
    }

    @Override
    public void enqueue(String payload) {
        one.scheduleIfNotExists(instance(payload), Instant.now());
    }

    private static TaskInstance<String> instance(String payload) {
        return new TaskInstance<>(DbScheduler.TASK, UUID.randomUUID().toString(), payload);
    }

    @Override
    public void close() {
        try (poolForOne) {
            poolForMany.close();
        }
    }
}
