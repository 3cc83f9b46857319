package dev.sweep.it;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.SweepException;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.TransactionContext;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can happen to a schema at once: producers whose transactions commit or roll back, workers with leases
 * shorter than their pauses, claims that nobody holds on to, late outcomes, cancels, pauses, and sessions that are killed.
 * What is not in the database is noted here, for {@link TortureOracle}.
 */
final class Torture implements AutoCloseable {

    static final TaskType<Json> PLAIN = TaskType.json("plain").maxLosses(1_000);
    static final TaskType<Json> FRAGILE = TaskType.json("fragile").maxLosses(0).maxRetries(1);
    static final TaskType<Json> EFFECT =
            TaskType.json("effect").inQueue("effects").maxLosses(1_000);
    private static final List<TaskType<Json>> TYPES = List.of(PLAIN, FRAGILE, EFFECT);
    private static final List<String> KEYS = List.of("k", "K", "key", "é", "é", "ß", "😀", "\uFFFD", "z".repeat(1_000));
    private static final String VICTIM = "torture";
    private static final Duration LEASE = Duration.ofMillis(150);
    private static final int MOST_PER_TRANSACTION = 12;

    final Set<TaskId> committed = ConcurrentHashMap.newKeySet();
    final Set<TaskId> rolledBack = ConcurrentHashMap.newKeySet();
    final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Set<Attempt> started = ConcurrentHashMap.newKeySet();
    private final DataSource source;
    private final long seed;
    private final UnaryOperator<TaskStore> asUsed;
    private final CountDownLatch calm = new CountDownLatch(1);
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final List<Sweep> sweeps = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> actors = new ArrayList<>();

    /** @param asUsed what stands between the store and those who use it */
    Torture(DataSource source, long seed, UnaryOperator<TaskStore> asUsed) throws SQLException {
        this.source = source;
        this.seed = seed;
        this.asUsed = asUsed;
        newSweep().migrate();
        execute("create table effect (task_id bigint not null)");
    }

    void begin() {
        for (int i = 0; i < 2; i++) {
            workers.add(worker(newSweep()));
            actor("producer", 0, 4, this::produce, newSweep());
            actor("thief", 5, 40, this::steal, newSweep());
        }
        actor("canceller", 0, 10, this::cancel, newSweep());
        actor("pauser", 20, 100, this::pause, newSweep());
        actor("killer", 10, 100, (sweep, random) -> kill(random), newSweep());
        actor("reader", 0, 20, (sweep, random) -> TortureOracle.lookMeanwhile(source, faults), newSweep());
        workers.forEach(Worker::start);
        actors.forEach(Thread::start);
    }

    /** Ends the misfortunes after a while, or once one did harm, and waits until the workers have brought all tasks to an end. */
    boolean calmAfter(Duration misfortunes, Duration atMost) throws Exception {
        long end = System.nanoTime() + misfortunes.toNanos();
        while (faults.isEmpty() && System.nanoTime() < end) {
            calm.await(20, TimeUnit.MILLISECONDS);
        }
        calm.countDown();
        for (Thread actor : actors) {
            actor.join(atMost.toMillis());
        }
        execute("delete from sweep.queue");
        long deadline = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < deadline) {
            workers.get(0).awaitIdle(LEASE);
            if (TortureOracle.isDone(source)) {
                return true;
            }
        }
        return false;
    }

    /** One thing after another, at random distances, until it calms down. */
    private void actor(String name, int leastMillis, int mostMillis, Deed deed, Sweep sweep) {
        Random random = new Random(seed + actors.size());
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!calm.await(random.nextInt(leastMillis, mostMillis + 1), TimeUnit.MILLISECONDS)) {
                            attempt(name, deed, sweep, random);
                        }
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                },
                "torture-" + name);
        thread.setDaemon(true);
        actors.add(thread);
    }

    @FunctionalInterface
    private interface Deed {
        void run(Sweep sweep, Random random) throws SQLException, InterruptedException;
    }

    private void attempt(String name, Deed deed, Sweep sweep, Random random) throws InterruptedException {
        try {
            deed.run(sweep, random);
        } catch (SweepException | SQLException expected) {
            String message = String.valueOf(expected.getMessage());
            if (message.contains("40P01") || message.contains("23505")) {
                faults.add(name + ": " + message);
            }
        }
    }

    private void produce(Sweep sweep, Random random) throws SQLException {
        List<NewTask<Json>> tasks = new ArrayList<>();
        for (int i = random.nextInt(MOST_PER_TRANSACTION); i >= 0; i--) {
            tasks.add(task(random));
        }
        List<TaskId> fresh = new ArrayList<>();
        try (Connection tx = source.getConnection()) {
            tx.setClientInfo("ApplicationName", VICTIM);
            tx.setAutoCommit(false);
            List<Enqueued> answers = sweep.enqueueAll(tx, tasks);
            answers.stream().filter(Enqueued::isNew).map(Enqueued::id).forEach(fresh::add);
            TortureOracle.checkOwners(tx, answers, faults);
            if (random.nextInt(4) == 0) {
                tx.rollback();
                rolledBack.addAll(fresh);
            } else {
                tx.commit();
                committed.addAll(fresh);
            }
        }
    }

    private static NewTask<Json> task(Random random) {
        TaskType<Json> type = TYPES.get(random.nextInt(TYPES.size()));
        NewTask<Json> task =
                type.with(Json.of("{}")).priority(random.nextInt(1, 11)).delay(Duration.ofMillis(random.nextInt(30)));
        String key = KEYS.get(random.nextInt(KEYS.size()));
        return switch (random.nextInt(5)) {
            case 0 -> task.dedupKey(DedupKey.of("kept " + key + random.nextInt(50)));
            case 1 ->
                task.dedupKey(DedupKey.of("live " + key + random.nextInt(3)).untilFinished());
            case 2 -> task.dedupKey(DedupKey.of("window " + key).window(Duration.ofMillis(random.nextInt(1, 50))));
            default -> task;
        };
    }

    /** A process that claims by the store, and holds on to it no longer than it likes. */
    private void steal(Sweep sweep, Random random) throws InterruptedException {
        TaskStore store = sweep.store();
        String name = "thief " + random.nextInt();
        Duration lease = Duration.ofMillis(random.nextInt(1, 80));
        Set<String> types = Set.of(PLAIN.name(), FRAGILE.name());
        Claim claim = store.claim(new ClaimRequest(
                name, types, Map.of("default", random.nextInt(1, 20)), 1, lease, random.nextBoolean()));
        List<Attempt> held = claim.tasks().stream().map(ClaimedTask::attempt).toList();
        held.forEach(this::starts);
        if (held.isEmpty() || random.nextInt(4) == 0) {
            return;
        }
        if (random.nextBoolean()) {
            calm.await(random.nextInt(200), TimeUnit.MILLISECONDS);
        }
        List<Attempt> part = held.subList(0, random.nextInt(held.size()) + 1);
        switch (random.nextInt(5)) {
            case 0 -> store.release(part);
            case 1 -> store.heartbeat(new HeartbeatRequest(name, lease, Set.of(claim.lease()), Set.copyOf(held)));
            case 2 ->
                store.fail(part.stream()
                        .map(attempt -> new Failure(attempt, Duration.ZERO, Duration.ZERO, "thief", "gave up"))
                        .toList());
            default ->
                store.complete(part.stream()
                        .map(attempt -> new Completion(attempt, Duration.ofMillis(1)))
                        .toList());
        }
    }

    private void cancel(Sweep sweep, Random random) {
        List<TaskId> known = List.copyOf(committed);
        if (!known.isEmpty()) {
            sweep.cancel(known.get(random.nextInt(known.size())));
            TortureOracle.random(source, "task_running").ifPresent(sweep::cancel);
        }
    }

    private void pause(Sweep sweep, Random random) throws InterruptedException {
        String queue = random.nextBoolean() ? "default" : "effects";
        sweep.pauseQueue(queue);
        calm.await(random.nextInt(30), TimeUnit.MILLISECONDS);
        sweep.resumeQueue(queue);
    }

    private void kill(Random random) throws SQLException {
        execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                + " and pid <> pg_backend_pid() and application_name = '" + VICTIM + "' order by pid offset "
                + random.nextInt(20) + " limit 1");
    }

    private Worker worker(Sweep sweep) {
        return Worker.builder(sweep)
                .name("tortured")
                .queue("default", 4)
                .queue("effects", 3)
                .leaseDuration(LEASE)
                .heartbeat(Duration.ofMillis(40))
                .reclaimInterval(Duration.ofMillis(40))
                .pollInterval(Duration.ofMillis(5), Duration.ofMillis(40))
                .batch(5, 40)
                .retryPolicy(RetryPolicy.of((failures, random) ->
                        Duration.ofMillis(ThreadLocalRandom.current().nextInt(20))))
                .logging(event -> {})
                .handleForOutcome(PLAIN, (payload, context) -> {
                    starts(new Attempt(context.fencingNumber(), context.id()));
                    return outcome();
                })
                .handleForOutcome(FRAGILE, (payload, context) -> {
                    starts(new Attempt(context.fencingNumber(), context.id()));
                    return outcome();
                })
                .handleInTransaction(EFFECT, (payload, context) -> effect(context))
                .build();
    }

    private @Nullable Outcome outcome() throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (calm.await(random.nextInt(10), TimeUnit.MILLISECONDS)) {
            return Outcome.complete();
        }
        return switch (random.nextInt(12)) {
            case 0 -> Outcome.retry("not yet \0");
            case 1 -> Outcome.retryAfter(Duration.ZERO, "again");
            case 2 -> Outcome.snooze(Duration.ofMillis(random.nextInt(20)));
            case 3 -> Outcome.fail("never");
            case 4 -> throw new IllegalStateException("thrown");
            case 5 -> {
                calm.await(LEASE.toMillis() * 2, TimeUnit.MILLISECONDS);
                yield Outcome.complete();
            }
            default -> Outcome.complete();
        };
    }

    private void effect(TransactionContext context) throws Exception {
        starts(new Attempt(context.fencingNumber(), context.id()));
        try (PreparedStatement insert = context.connection().prepareStatement("insert into effect values (?)")) {
            insert.setLong(1, context.id().value());
            insert.executeUpdate();
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (!calm.await(random.nextInt(10), TimeUnit.MILLISECONDS)) {
            switch (random.nextInt(10)) {
                case 0 -> throw new IllegalStateException("after the effect");
                case 1 -> calm.await(LEASE.toMillis() * 2, TimeUnit.MILLISECONDS);
                default -> {}
            }
        }
    }

    private void starts(Attempt attempt) {
        if (!started.add(attempt)) {
            faults.add("attempt " + attempt + " was started twice");
        }
    }

    private Sweep newSweep() {
        Sweep sweep = Sweep.create(asUsed.apply(JooqTaskStore.builder(newPool()).build()));
        sweeps.add(sweep);
        return sweep;
    }

    private HikariDataSource newPool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(2_000);
        config.setConnectionInitSql("set application_name = '" + VICTIM + "'");
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The workers first: what they still hold goes back. */
    void closeWorkers() {
        workers.forEach(Worker::close);
        sweeps.forEach(Sweep::close);
    }

    @Override
    public void close() {
        calm.countDown();
        closeWorkers();
        pools.forEach(HikariDataSource::close);
    }
}
