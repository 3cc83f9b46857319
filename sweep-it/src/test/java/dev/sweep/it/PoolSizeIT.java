package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.InvalidConfigurationException;
import dev.sweep.event.TaskEvent.ConnectionsScarce;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.sql.Connection;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case B65: slots that hold a connection must not wait for one another, or keep the worker from its own. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class PoolSizeIT {

    private static final int TASKS = 100;
    private static final int SLOTS = 4;
    /** For claims, outcomes, beats, to listen and to announce. */
    private static final int KEPT = 5;

    @RegisterExtension
    static final Database db = Database.named("pool_size");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5})
    void aPoolWithoutAConnectionForHandlersIsRefused(int size) {
        try (HikariDataSource pool = pool(size)) {
            assertThatThrownBy(() -> worker(pool).build())
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("at most " + size + " connections")
                    .hasMessageContaining("raise maximumPoolSize");
        }
    }

    @Test
    void theWorkersOwnConnectionsDoForPlainHandlers() {
        enqueue();
        try (HikariDataSource pool = pool(KEPT);
                Worker worker = Database.started(db.worker("w", db.anotherSweep(pool))
                        .queue("default", SLOTS)
                        .handle(Errands.QUICK_TX, (nothing, context) -> {}))) {
            db.awaitCount(TASKS, "sweep.task_outcome where status = 'succeeded'");
        }
        assertThat(db.events.of(ConnectionsScarce.class)).isEmpty();
    }

    /** One handler at a time, and the worker's own connections are never taken. */
    @Test
    void slotsShareTheConnectionsThatThereAre() {
        enqueue();
        try (HikariDataSource pool = pool(KEPT + 1);
                Worker worker = Database.started(worker(pool))) {
            db.awaitCount(TASKS * 2, "sweep.task_outcome where status = 'succeeded'");
        }
        assertThat(db.events.of(ConnectionsScarce.class))
                .singleElement()
                .satisfies(event -> assertThat(event.needed()).isEqualTo(KEPT + SLOTS));
        assertThat(db.count("sweep.task_failure")).isZero();
    }

    /** By the formula: the worker's own, one for each slot, and one for each slot whose handler takes another. */
    @Test
    void handlersThatTakeASecondConnectionFindOne() {
        enqueue();
        try (HikariDataSource pool = pool(KEPT + SLOTS + SLOTS);
                Worker worker = Database.started(db.worker("w", db.anotherSweep(pool))
                        .queue("default", SLOTS)
                        .handleInTransaction(Errands.QUICK_TX, (nothing, context) -> {
                            Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w");
                            try (Connection second = pool.getConnection()) {
                                db.query(second, "select count(*) from sweep.task");
                            }
                        }))) {
            db.awaitCount(TASKS, "sweep.task_outcome where status = 'succeeded'");
        }
        assertThat(db.events.of(ConnectionsScarce.class)).isEmpty();
        assertThat(db.count("sweep.task_failure")).isZero();
    }

    private static void enqueue() {
        db.sweep.enqueueAll(IntStream.range(0, TASKS)
                .mapToObj(i -> Errands.QUICK_TX.with(Errands.NOTHING))
                .toList());
    }

    /** Its handlers enqueue further tasks by the connection they have. */
    private static WorkerBuilder worker(HikariDataSource pool) {
        return db.worker("w", db.anotherSweep(pool))
                .queue("default", SLOTS)
                .handle(Errands.QUICK, (nothing, context) -> {})
                .handleInTransaction(Errands.QUICK_TX, (nothing, context) -> {
                    Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w");
                    context.enqueue(Errands.QUICK.with(Errands.NOTHING));
                });
    }

    private static HikariDataSource pool(int size) {
        HikariDataSource pool =
                PooledDataSource.open(db.server.jdbcUrl(), db.server.user(), db.server.password(), size);
        pool.setConnectionTimeout(5_000);
        return pool;
    }
}
