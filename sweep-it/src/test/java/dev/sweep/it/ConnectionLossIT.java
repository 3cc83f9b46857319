package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TransactionLostException;
import dev.sweep.event.TaskEvent.AttemptGivenUp;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a transactional handler's task is charged with when the database fails its transaction. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class ConnectionLossIT {

    @RegisterExtension
    static final Database db = Database.named("loss");

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void aConnectionLostBeforeTheHandlersStatementsCostsNoRetry() {
        becomesOneLoss((connection, write) -> {
            terminate(connection);
            write.run();
        });
    }

    @Test
    void aConnectionLostAfterTheHandlersStatementsCostsNoRetry() {
        becomesOneLoss((connection, write) -> {
            write.run();
            terminate(connection);
        });
    }

    /** Its own fault and the loss of the connection: the fault counts. */
    @Test
    void aHandlerThatFailsByItselfPaysForIt() {
        TaskId id = db.sweep
                .enqueue(Errands.QUICK_TX.with(Errands.NOTHING).maxRetries(0))
                .id();
        try (Worker worker =
                Database.started(db.worker("w").handleInTransaction(Errands.QUICK_TX, (nothing, context) -> {
                    terminate(context.connection());
                    throw new IllegalStateException("by itself");
                }))) {
            db.awaitStatus(id, TaskStatus.FAILED);
        }
        assertThat(db.task(id).error()).get().asString().contains("by itself");
    }

    /** All connections of the pool are lent when the handler's turn comes. */
    @Test
    void aPoolWithoutAFreeConnectionCostsNothing() throws SQLException {
        try (HikariDataSource pool =
                PooledDataSource.open(db.server.jdbcUrl(), db.server.user(), db.server.password(), 6)) {
            pool.setConnectionTimeout(250);
            TaskId plain = db.sweep.enqueue(Errands.QUICK.with(Errands.NOTHING)).id();
            try (Worker worker = Database.started(db.worker("w", db.anotherSweep(pool))
                    .handle(Errands.QUICK, (nothing, context) -> {})
                    .handleInTransaction(Errands.QUICK_TX, (nothing, context) -> runs.incrementAndGet()))) {
                db.awaitStatus(plain, TaskStatus.SUCCEEDED);
                Awaiting.until("the worker has what it keeps", () -> active(pool) == 4);
                TaskId id;
                try (Connection lent = pool.getConnection();
                        Connection another = pool.getConnection()) {
                    id = db.sweep
                            .enqueue(Errands.QUICK_TX.with(Errands.NOTHING))
                            .id();
                    db.events.await(AttemptGivenUp.class, 3);
                }
                db.awaitStatus(id, TaskStatus.SUCCEEDED);
                assertThat(db.task(id))
                        .extracting(Task::retryCount, Task::losses)
                        .containsExactly(0, 0);
            }
            assertThat(runs).hasValue(1);
        }
    }

    private static int active(HikariDataSource pool) {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    private interface Writes {
        void run() throws SQLException;
    }

    private interface Incident {
        void happens(Connection connection, Writes writes) throws SQLException;
    }

    private void becomesOneLoss(Incident incident) {
        TaskId id = db.sweep
                .enqueue(Errands.QUICK_TX.with(Errands.NOTHING).maxRetries(0))
                .id();
        try (Worker worker =
                Database.started(db.reclaimingWorker("w").handleInTransaction(Errands.QUICK_TX, (nothing, context) -> {
                    Writes effect =
                            () -> Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w");
                    if (runs.incrementAndGet() == 1) {
                        incident.happens(context.connection(), effect);
                    } else {
                        effect.run();
                    }
                }))) {
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
        }
        assertThat(db.task(id)).extracting(Task::retryCount, Task::losses).containsExactly(0, 1);
        assertThat(db.count("sweep.fx")).isEqualTo(1);
        assertThat(db.events.of(AttemptStarted.class)).hasSize(2);
        assertThat(db.events.of(AttemptGivenUp.class))
                .singleElement()
                .satisfies(event -> assertThat(event.cause()).isInstanceOf(TransactionLostException.class));
    }

    private static void terminate(Connection connection) throws SQLException {
        Object backend = db.query(connection, "select pg_backend_pid()").get(0);
        db.query("select pg_terminate_backend(" + backend + ", 10000)");
    }
}
