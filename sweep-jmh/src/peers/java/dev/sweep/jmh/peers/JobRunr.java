package dev.sweep.jmh.peers;

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
import java.util.List;
import java.util.Set;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.configuration.BackgroundJobServerThreadType;
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/** JobRunr, the open-source edition, looking as often as it allows. */
public final class JobRunr implements Contender {

    /** The least that it takes for a database. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    /** For the threads of its own rounds. */
    private static final int OTHER_CONNECTIONS = 5;

    /** For the {@link java.util.ServiceLoader}. */
    public JobRunr() {}

    @Override
    public String name() {
        return "jobrunr";
    }

    /** Dedup is by the id of a job. */
    @Override
    public Set<Ability> lacks() {
        return Set.of(Ability.KEYS, Ability.BATCHES, Ability.PARTITIONS);
    }

    @Override
    public String setup() {
        return "JobRunr " + Versions.of(name()) + ", open source: PostgresStorageProvider, " + workers()
                + " workers, its default here, unless --concurrency says otherwise, a connection for each,"
                + " pollInterval " + LOOK_EVERY.toSeconds()
                + " s, the least it allows, job requests as JSON by Jackson,"
                + " enqueued in bulk as a stream, reWriteBatchedInserts";
    }

    /** One job is enqueued by JobRunr itself; the others are copies of its row with ids of their own. */
    @Override
    public void create(Place place, Stock stock) throws SQLException {
        place.execute(Counted.inSchema(place, "create schema $s"));
        try (HikariDataSource pool = PeerPool.open(place, 1, true);
                PostgresStorageProvider storage = storage(pool, DatabaseOptions.CREATE)) {
            new JobRequestScheduler(storage).enqueue(new Nothing(stock.payload()));
        }
        copy(place, "ENQUEUED", stock.waiting());
        copy(place, "SUCCEEDED", stock.finished());
        place.execute(Counted.inSchema(place, """
                delete from $s.jobrunr_jobs where id = (select id from $s.jobrunr_jobs order by createdAt desc limit 1)
                """));
    }

    /** Copies are an hour older than the job that they are copies of, so that this one stays the newest. */
    private static void copy(Place place, String state, long count) throws SQLException {
        place.execute(Counted.inSchema(place, """
                insert into $s.jobrunr_jobs
                select (jsonb_populate_record(null::$s.jobrunr_jobs, to_jsonb(original) || jsonb_build_object(
                    'id', copy, 'state', '%s', 'jobasjson', replace(original.jobAsJson, trim(original.id), copy::text),
                    'createdat', original.createdAt - interval '1 hour',
                    'updatedat', original.updatedAt - interval '1 hour'))).*
                from (select * from $s.jobrunr_jobs order by createdAt desc limit 1) original,
                    (select gen_random_uuid() copy from generate_series(1, %d)) copies
                """.formatted(state, count)));
    }

    @Override
    public Census census(Place place) throws SQLException {
        return new Census(
                Counted.by(place, "select count(*) from $s.jobrunr_jobs where state <> 'SUCCEEDED'"),
                Counted.by(place, "select count(*) from $s.jobrunr_jobs where state = 'SUCCEEDED'"));
    }

    @Override
    public Producer producer(Place place, int threads) throws SQLException {
        HikariDataSource pool = PeerPool.open(place, threads, true);
        PostgresStorageProvider storage = storage(pool, DatabaseOptions.SKIP_CREATE);
        JobRequestScheduler scheduler = new JobRequestScheduler(storage);
        return new Producer() {
            /** In one transaction, as it takes up to 5,000. */
            @Override
            public void enqueueAll(List<String> payloads, List<String> keys) {
                scheduler.enqueue(payloads.stream().map(Nothing::new));
            }

            @Override
            public void enqueue(String payload) {
                scheduler.enqueue(new Nothing(payload));
            }

            @Override
            public void close() {
                try (pool;
                        storage) {
                    scheduler.shutdown();
                }
            }
        };
    }

    @Override
    public TaskLoop worker(Place place, int concurrency, Progress progress) throws SQLException {
        int workers = concurrency > 0 ? concurrency : workers();
        HikariDataSource pool = PeerPool.open(place, workers + OTHER_CONNECTIONS, true);
        PostgresStorageProvider storage = storage(pool, DatabaseOptions.SKIP_CREATE);
        NothingHandler handler = new NothingHandler(progress);
        BackgroundJobServer server = new BackgroundJobServer(
                storage,
                json(),
                new OneHandler(handler),
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(LOOK_EVERY)
                        .andWorkerCount(workers));
        server.setJobFilters(List.of(handler));
        return new TaskLoop() {
            @Override
            public void start() {
                server.start();
            }

            @Override
            public void close() {
                try (pool;
                        storage) {
                    server.stop();
                }
            }
        };
    }

    @Override
    public BatchLoop batches(Place place, int batch) {
        throw new UnsupportedOperationException(name() + " claims and completes in its own worker only");
    }

    /** As many as it takes by itself: by the cores, and twice as many where threads are virtual. */
    private static int workers() {
        return BackgroundJobServerThreadType.getDefaultThreadType().getDefaultWorkerCount();
    }

    private static PostgresStorageProvider storage(HikariDataSource pool, DatabaseOptions options) {
        PostgresStorageProvider storage = new PostgresStorageProvider(pool, options);
        storage.setJobMapper(new JobMapper(json()));
        return storage;
    }

    private static JsonMapper json() {
        return new JacksonJsonMapper();
    }
}
