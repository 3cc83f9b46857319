package dev.sweep.jmh.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.ExecutionHandler;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.cli.bench.Ability;
import dev.sweep.cli.bench.BatchLoop;
import dev.sweep.cli.bench.Census;
import dev.sweep.cli.bench.Contender;
import dev.sweep.cli.bench.Place;
import dev.sweep.cli.bench.Producer;
import dev.sweep.cli.bench.Progress;
import dev.sweep.cli.bench.Stock;
import dev.sweep.cli.bench.TaskLoop;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** db-scheduler, with the settings that its own benchmark took for 20 threads on two cores. */
public final class DbScheduler implements Contender {

    static final String TASK = "bench.nothing";

    private static final int THREADS = 20;
    /** For the look-out, the heartbeats and the housekeeping. */
    private static final int OTHER_CONNECTIONS = 3;

    private static final Duration LOOK_EVERY = Duration.ofMillis(10);
    /** Each look fills up to twenty for each thread, as soon as no more than four for each are left. */
    private static final double LOWER = 4.0;

    private static final double UPPER = 20.0;

    /** For the {@link java.util.ServiceLoader}. */
    public DbScheduler() {}

    @Override
    public String name() {
        return "db-scheduler";
    }

    /** It deletes what has ended; dedup is by the id of a task, one statement each. */
    @Override
    public Set<Ability> lacks() {
        return Set.of(Ability.KEYS, Ability.BATCHES, Ability.HISTORY, Ability.PARTITIONS);
    }

    @Override
    public String setup() {
        return "db-scheduler " + Versions.of(name()) + ": " + THREADS + " threads unless --concurrency says otherwise,"
                + " pollUsingLockAndFetch(" + LOWER + ", " + UPPER + "), pollingInterval " + LOOK_EVERY.toMillis()
                + " ms, no priorities and no index for them, payloads as UTF-8, scheduleBatch in one transaction,"
                + " reWriteBatchedInserts; deletes what has ended";
    }

    @Override
    public void create(Place place, Stock stock) throws SQLException {
        place.execute(
                Counted.inSchema(place, "create schema $s"),
                Counted.inSchema(place, """
                        create table $s.scheduled_tasks (
                            task_name            text        not null,
                            task_instance        text        not null,
                            task_data            bytea,
                            execution_time       timestamptz,
                            picked               boolean     not null,
                            picked_by            text,
                            last_success         timestamptz,
                            last_failure         timestamptz,
                            consecutive_failures integer,
                            last_heartbeat       timestamptz,
                            version              bigint      not null,
                            priority             smallint,
                            state                text,
                            primary key (task_name, task_instance)
                        )
                        """),
                Counted.inSchema(place, "create index on $s.scheduled_tasks (execution_time)"),
                Counted.inSchema(place, "create index on $s.scheduled_tasks (last_heartbeat)"));
        place.execute(
                Counted.inSchema(place, """
                insert into $s.scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version)
                select '%s', gen_random_uuid(), convert_to('%s', 'UTF8'), now() - interval '1 hour', false, 1
                from generate_series(1, %d)
                """.formatted(TASK, stock.payload().replace("'", "''"), stock.waiting())));
    }

    @Override
    public Census census(Place place) throws SQLException {
        return Census.ofOpen(Counted.by(place, "select count(*) from $s.scheduled_tasks"));
    }

    /** Schedulers that are never started; two, because a single task is a statement and a batch a transaction. */
    @Override
    public Producer producer(Place place, int threads) throws SQLException {
        HikariDataSource forOne = PeerPool.open(place, threads, true);
        HikariDataSource forMany = PeerPool.open(place, threads, false);
        return new DbSchedulerProducer(
                forOne,
                builder(forOne, task((instance, context) -> (complete, operations) -> {}))
                        .build(),
                forMany,
                builder(forMany, task((instance, context) -> (complete, operations) -> {}))
                        .commitWhenAutocommitDisabled(true)
                        .build());
    }

    /** A task has ended when its row is gone, which the completion does and tells, as that of a one-time task does. */
    @Override
    public TaskLoop worker(Place place, int concurrency, Progress progress) throws SQLException {
        int threads = concurrency > 0 ? concurrency : THREADS;
        HikariDataSource pool = PeerPool.open(place, threads + OTHER_CONNECTIONS, true);
        CustomTask<String> task = task((instance, context) -> {
            progress.claimed();
            progress.started(instance.getData());
            return (complete, operations) -> {
                operations.remove();
                progress.finished(1);
            };
        });
        Scheduler scheduler = builder(pool, task).threads(threads).build();
        return new TaskLoop() {
            @Override
            public void start() {
                scheduler.start();
            }

            @Override
            public void close() {
                try (pool) {
                    scheduler.stop();
                }
            }
        };
    }

    @Override
    public BatchLoop batches(Place place, int batch) {
        throw new UnsupportedOperationException(name() + " claims and completes in its own worker only");
    }

    private static SchedulerBuilder builder(HikariDataSource pool, CustomTask<String> task) {
        return Scheduler.create(pool, task)
                .serializer(new Utf8Serializer())
                .pollingInterval(LOOK_EVERY)
                .pollUsingLockAndFetch(LOWER, UPPER);
    }

    private static CustomTask<String> task(ExecutionHandler<String> handler) {
        return Tasks.custom(TASK, String.class).execute(handler);
    }
}
