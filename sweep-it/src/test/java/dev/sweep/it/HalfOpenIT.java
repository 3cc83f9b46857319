package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.event.TaskEvent.AttemptInterrupted;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.event.TaskEvent.LoopFailed;
import dev.sweep.event.TaskEvent.WorkerStopped;
import dev.sweep.it.TcpProxy.Fault;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case B46: connections that neither answer nor end, as a failover or a firewall leaves them behind. */
class HalfOpenIT {

    /** The stop timeout is one second, so that three have to do; the rest is for slow machines. Hanging takes longer. */
    private static final long LIMIT_SECONDS = 12;

    @RegisterExtension
    static final Database db = Database.named("half_open");

    private final CountDownLatch goOn = new CountDownLatch(1);
    private TcpProxy network;
    private HikariDataSource pool;
    private Sweep sweep;

    @BeforeEach
    void open() throws Exception {
        network = TcpProxy.before(db.server);
        pool = PooledDataSource.open(network.jdbcUrl(), db.server.user(), db.server.password(), 20);
        sweep = db.anotherSweep(pool);
    }

    @AfterEach
    void close() {
        goOn.countDown();
        network.close();
        pool.close();
    }

    /** While this is asked, and a handler runs, and the worker listens. */
    @ParameterizedTest
    @ValueSource(strings = {"with taken as", "with extended as", "with ended as", "COMMIT", "listen "})
    void stoppingIsBounded(String statement) throws Exception {
        TaskId held = db.sweep
                .enqueue(Errands.HOLD.with(Errands.NOTHING).priority(10))
                .id();
        Worker worker = Database.reclaiming(worker()).build();
        CountDownLatch silent = network.breakAt(statement, Fault.SWALLOW_BEFORE);
        worker.start();
        boolean isClaiming = !statement.equals("with taken as");
        if (isClaiming) {
            db.events.await(AttemptStarted.class, 1);
        }
        db.sweep.enqueue(Errands.QUICK.with(Errands.NOTHING));
        db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING));
        Awaiting.opened(silent);
        network.swallow();

        closes("the worker", worker::close);
        closes("the store", sweep::close);
        assertThat(db.events.of(WorkerStopped.class))
                .singleElement()
                .satisfies(event -> assertThat(event.abandoned()).isBetween(isClaiming ? 1 : 0, 2));

        db.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sweep'");
        goOn.countDown();
        try (Worker next = Database.started(Database.reclaiming(handlers(db.worker("next"))))) {
            db.awaitStatus(held, TaskStatus.SUCCEEDED);
            db.awaitCount(3, "sweep.task_outcome where status = 'succeeded'");
            assertThat(next.health().isUp()).isTrue();
        }
    }

    /** The beat's connection is given up after 8 s, so that the next beat comes before the lease of 30 s is over. */
    @Test
    void aSilentHeartbeatCostsNoLease() throws Exception {
        TaskId held = db.sweep.enqueue(Errands.HOLD.with(Errands.NOTHING)).id();
        CountDownLatch silent = network.breakAt("with extended as", Fault.SWALLOW_BEFORE);
        try (Worker worker = Database.started(worker())) {
            Awaiting.opened(silent);
            db.events.await(AttemptStarted.class, 1);
            Awaiting.until(
                    "the silence is noticed, and over",
                    () -> !db.events.of(LoopFailed.class).isEmpty()
                            && worker.health().isUp());
            assertThat(db.events.of(LoopFailed.class))
                    .extracting(LoopFailed::loop)
                    .containsExactly("heartbeat");
            goOn.countDown();
            db.awaitStatus(held, TaskStatus.SUCCEEDED);
        }
        assertThat(db.events.of(AttemptInterrupted.class)).isEmpty();
        assertThat(db.task(held).losses()).isZero();
    }

    /** The thread of such a handler hears no interrupt; its connection is cut when the lease is over. */
    @Test
    void aHandlerWhoseConnectionIsSilentLosesItWithItsLease() throws Exception {
        TaskId id = db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING)).id();
        CountDownLatch silent = network.breakAt(".fx values", Fault.SWALLOW_BEFORE);
        try (Worker worker = Database.started(handlers(Database.reclaiming(db.worker("w", sweep))))) {
            Awaiting.opened(silent);
            network.swallow();
            db.events.await(AttemptInterrupted.class, 1);
            Awaiting.until("its slot is free", () -> worker.health().load().running() == 0);
            network.pass();
            network.cut();
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
        }
    }

    /** No thread keeps the JVM alive, whichever way it is told to end. */
    @ParameterizedTest
    @ValueSource(strings = {"stop", "TERM"})
    void aProcessEnds(String told) throws Exception {
        TaskId held = db.sweep.enqueue(Errands.HOLD.with(Errands.NOTHING)).id();
        try (WorkerProcess process = WorkerProcess.of(db, "w")
                .url(network.jdbcUrl())
                .closeOnShutdown()
                .stopTimeout(Duration.ofSeconds(1))
                .start(Errands.HOLD, Errands.QUICK)) {
            process.awaitRunning(Errands.HOLD, held);
            network.swallow();
            if (told.equals("stop")) {
                process.stop();
            } else {
                process.signal(told);
                process.awaitEnd();
            }
        }
        db.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sweep'");
        goOn.countDown();
        try (Worker next = Database.started(Database.reclaiming(handlers(db.worker("next"))))) {
            db.awaitStatus(held, TaskStatus.SUCCEEDED);
            assertThat(next.health().isUp()).isTrue();
        }
    }

    private static void closes(String what, Runnable close) throws Exception {
        assertThat(CompletableFuture.runAsync(close))
                .as(what + " closes in time")
                .succeedsWithin(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private WorkerBuilder worker() {
        return handlers(db.worker("w", sweep)).queue("default", 4).stopTimeout(Duration.ofSeconds(1));
    }

    private WorkerBuilder handlers(WorkerBuilder builder) {
        return builder.handle(Errands.QUICK, (nothing, context) -> {})
                .handle(Errands.HOLD, (nothing, context) -> awaitWord())
                .handleInTransaction(
                        Errands.QUICK_TX,
                        (nothing, context) ->
                                Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w"));
    }

    /** Deaf to interrupts. */
    private void awaitWord() {
        boolean isWordGiven = false;
        while (!isWordGiven) {
            try {
                Awaiting.opened(goOn);
                isWordGiven = true;
            } catch (InterruptedException ignoredOnPurpose) {
                Thread.interrupted();
            }
        }
    }
}
