package dev.sweep.it;

import static dev.sweep.it.Errands.NOTHING;
import static dev.sweep.it.Errands.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.event.TaskEvent.LoopFailed;
import dev.sweep.event.TaskEvent.LoopRecovered;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.TaskRecord;
import dev.sweep.worker.LoopHealth;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerHealth;
import dev.sweep.worker.WorkerHealth.WakeUps;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** The listener's connection breaks in all ways that there are; every other one of the worker's is well. */
class WakeUpOutagesIT {

    @RegisterExtension
    static final Database db = Database.named("deaf");

    /** Case B60. */
    @Test
    void aListenerThatIsCutOffListensAnewAndFindsWhatWasEnqueuedInTheGap() throws Exception {
        PGSimpleDataSource ears = directConnections();
        ears.setApplicationName(db.schema + "-ear");
        String listener = "pg_stat_activity where application_name = '" + db.schema + "-ear'";
        try (Sweep sweep = listeningOn(ears);
                Worker worker =
                        WakeUpIT.idle(WakeUpIT.rarely(db.worker("w", sweep)).handle(QUICK, (nothing, context) -> {}))) {
            for (int i = 1; i <= 5; i++) {
                assertThat(db.query("select pg_terminate_backend(pid) from " + listener))
                        .containsExactly(true);
                TaskId inGap = enqueueSilently();
                db.awaitStatus(inGap, TaskStatus.SUCCEEDED);
                WakeUpIT.awaitArriving(worker);
                db.events.await(LoopRecovered.class, i);
                TaskId after = sweep.enqueue(QUICK.with(NOTHING)).id();
                db.awaitStatus(after, TaskStatus.SUCCEEDED);
            }
            assertThat(db.events.of(LoopFailed.class))
                    .hasSize(5)
                    .extracting(LoopFailed::loop)
                    .containsOnly("listener");
        }
    }

    /** Case B60. */
    @Test
    void aListenerThatCanNotComeBackTriesEverLessOftenAndSaysSo() throws Exception {
        String role = db.server.newSchemaName("ear");
        db.execute("create role " + role + " login password 'ear'");
        try (TcpProxy proxy = TcpProxy.before(db.server)) {
            PGSimpleDataSource ears = (PGSimpleDataSource) proxy.dataSource();
            ears.setUser(role);
            ears.setPassword("ear");
            try (Sweep sweep = listeningOn(ears);
                    Worker worker = WakeUpIT.idle(
                            WakeUpIT.rarely(db.worker("w", sweep)).handle(QUICK, (nothing, context) -> {}))) {
                db.execute("alter role " + role + " nologin");
                proxy.cut();
                long began = System.nanoTime();
                TaskId inGap = enqueueSilently();
                Awaiting.until("it has tried six times", () -> proxy.accepted() >= 7);
                assertThat(Duration.ofNanos(System.nanoTime() - began))
                        .as("at least half of 100, 200, 400, 800, 1,600 and 3,200 ms")
                        .isGreaterThan(Duration.ofSeconds(3));
                WorkerHealth health = worker.health();
                assertThat(health.wakeUps()).isEqualTo(WakeUps.CONNECTING);
                assertThat(health.isUp()).isTrue();
                assertThat(faultOfListener(health)).contains("not permitted to log in");
                assertThat(db.status(inGap)).isEqualTo(TaskStatus.PENDING);

                db.execute("alter role " + role + " login");
                db.awaitStatus(inGap, TaskStatus.SUCCEEDED);
                db.events.await(LoopRecovered.class, 1);
                assertThat(db.events.of(LoopFailed.class)).hasSize(1);
            }
        } finally {
            db.execute("drop role " + role);
        }
    }

    /** Case B61. */
    @Test
    void aHalfOpenConnectionIsNoticedAndReplaced() throws Exception {
        try (TcpProxy proxy = TcpProxy.before(db.server);
                Sweep sweep = listeningOn(proxy.dataSource());
                Worker worker =
                        WakeUpIT.idle(WakeUpIT.rarely(db.worker("w", sweep)).handle(QUICK, (nothing, context) -> {}))) {
            proxy.swallow();
            proxy.pass();
            TaskId unheard = sweep.enqueue(QUICK.with(NOTHING)).id();
            db.awaitStatus(unheard, TaskStatus.SUCCEEDED);
            assertThat(db.events.of(LoopFailed.class)).hasSize(1);
            assertThat(proxy.accepted()).isEqualTo(2);
            WakeUpIT.awaitArriving(worker);
        }
    }

    /** Case B61. */
    @Test
    @Timeout(60)
    void pollingGoesOnBesideAHalfOpenConnectionAndAStopDoesNotWaitForIt() throws Exception {
        try (TcpProxy proxy = TcpProxy.before(db.server);
                Sweep sweep = listeningOn(proxy.dataSource())) {
            Worker worker = WakeUpIT.idle(
                    db.worker("w", sweep).stopTimeout(Duration.ofMinutes(10)).handle(QUICK, (nothing, context) -> {}));
            proxy.swallow();
            for (int i = 0; i < 3; i++) {
                db.awaitStatus(sweep.enqueue(QUICK.with(NOTHING)).id(), TaskStatus.SUCCEEDED);
            }
            worker.close();
            assertThat(db.events.of(LoopFailed.class)).isEmpty();
        }
    }

    @Test
    @Timeout(60)
    void aStopDoesNotWaitForAListenerThatIsAboutToConnect() throws Exception {
        try (TcpProxy proxy = TcpProxy.before(db.server);
                Sweep sweep = listeningOn(proxy.dataSource())) {
            proxy.swallow();
            Worker worker = Database.started(
                    db.worker("w", sweep).stopTimeout(Duration.ofMinutes(10)).handle(QUICK, (nothing, context) -> {}));
            Awaiting.until("it tries", () -> proxy.accepted() == 1);
            db.awaitStatus(sweep.enqueue(QUICK.with(NOTHING)).id(), TaskStatus.SUCCEEDED);
            worker.close();
        }
    }

    /** Case B69. */
    @Test
    void behindAPoolerThatLosesNotificationsItSaysSoOnceAndPollingCarriesOn() throws Exception {
        try (Sweep sweep = listeningOn(pooled(directConnections()));
                Worker worker = Database.started(db.worker("w", sweep).handle(QUICK, (nothing, context) -> {}))) {
            db.events.await(LoopFailed.class, 1);
            assertThat(db.events.of(LoopFailed.class).get(0).cause())
                    .hasMessageContainingAll(
                            "notifications do not arrive", "there is a pooler in between", "listenerSource");
            TaskId id = sweep.enqueue(QUICK.with(NOTHING)).id();
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
            WorkerHealth health = worker.health();
            assertThat(health.wakeUps()).isEqualTo(WakeUps.NOT_ARRIVING);
            assertThat(health.isUp()).isTrue();
            assertThat(faultOfListener(health)).contains("notifications do not arrive");
            assertThat(db.events.of(LoopFailed.class)).hasSize(1);
        }
    }

    @Test
    void connectionsThatHideTheirDriverAreNamed() throws Exception {
        DataSource opaque = wrapped(directConnections(), connection -> (method, arguments) -> switch (method) {
            case "isWrapperFor" -> false;
            default -> null;
        });
        try (Sweep sweep = listeningOn(opaque);
                Worker worker = Database.started(db.worker("w", sweep).handle(QUICK, (nothing, context) -> {}))) {
            db.events.await(LoopFailed.class, 1);
            assertThat(faultOfListener(worker.health())).contains("PostgreSQL's own driver", "notifications off");
            assertThat(worker.health().isUp()).isTrue();
        }
    }

    private static Sweep listeningOn(DataSource ears) {
        return Sweep.create(JooqTaskStore.builder(db.source)
                .schema(db.schema)
                .listenerSource(ears)
                .build());
    }

    private static PGSimpleDataSource directConnections() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(db.server.jdbcUrl());
        source.setUser(db.server.user());
        source.setPassword(db.server.password());
        return source;
    }

    /** Nobody is told, so only a look of the worker's own finds it. */
    private static TaskId enqueueSilently() {
        TaskRecord task = TaskRecord.of(QUICK.with(Json.of("{}")), "{}");
        return db.store.enqueue(List.of(task)).get(0).id();
    }

    private static String faultOfListener(WorkerHealth health) {
        return health.loops().stream()
                .filter(loop -> loop.name().equals("listener"))
                .map(LoopHealth::fault)
                .findFirst()
                .orElseThrow()
                .orElse("none");
    }

    /** Runs every statement in another session than the one that greets the driver. */
    private static DataSource pooled(DataSource source) {
        return wrapped(source, connection -> {
            Connection behind = source.getConnection();
            return (method, arguments) -> switch (method) {
                case "createStatement" -> behind.createStatement();
                case "close", "abort" -> {
                    behind.close();
                    yield null;
                }
                default -> null;
            };
        });
    }

    private static DataSource wrapped(DataSource source, Wrapping wrapping) {
        return (DataSource) Proxy.newProxyInstance(
                WakeUpOutagesIT.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> {
                    Connection connection = source.getConnection();
                    Instead override = wrapping.around(connection);
                    return Proxy.newProxyInstance(
                            WakeUpOutagesIT.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (proxy, call, values) -> {
                                Object result = override.answer(call.getName(), values);
                                try {
                                    return result == null ? call.invoke(connection, values) : result;
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
                });
    }

    @FunctionalInterface
    private interface Wrapping {
        Instead around(Connection connection) throws Exception;
    }

    /** Answers calls in the connection's place. */
    @FunctionalInterface
    private interface Instead {
        /** Null: let the connection do it. */
        Object answer(String method, Object[] arguments) throws Exception;
    }
}
