package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Case B69: two workers behind PgBouncer in transaction mode, with three server sessions for all of them. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class PoolerIT {

    private static final int TASKS = 500;
    private static final int SERVER_SESSIONS = 3;
    private static final String SETTINGS = """
            select name || ' = ' || setting from pg_settings
            where source = 'session' and name not in ('client_encoding', 'DateStyle', 'TimeZone', 'application_name',
                                                      'standard_conforming_strings', 'transaction_isolation',
                                                      'transaction_read_only', 'transaction_deferrable')""";

    @RegisterExtension
    static final Database db = Database.onItsOwnServer("pooler");

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.sweep.jooq");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private PgBouncer pooler;
    private HikariDataSource pool;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(PgBouncer.installed().isPresent(), "pgbouncer is not installed");
        pooler = PgBouncer.before(db.own, SERVER_SESSIONS);
        pool = PooledDataSource.open(pooler.jdbcUrl(), OwnServer.APP, null, 40);
        logged.start();
        log.setLevel(Level.INFO);
        log.addAppender(logged);
    }

    @AfterEach
    void stop() throws Exception {
        log.detachAppender(logged);
        log.setLevel(null);
        if (pooler != null) {
            pool.close();
            pooler.close();
        }
    }

    @Test
    void everyTaskRunsAndNoSettingIsLeftWithThePooler() throws Exception {
        Sweep producer = db.anotherSweep(pool);
        producer.enqueueAll(IntStream.range(0, TASKS / 2)
                .mapToObj(i -> (i % 2 == 0 ? Errands.QUICK : Errands.QUICK_TX).with(Errands.NOTHING))
                .toList());
        try (Worker first = worker("first");
                Worker second = worker("second")) {
            for (int i = 0; i < TASKS / 2; i++) {
                producer.enqueue((i % 2 == 0 ? Errands.QUICK : Errands.QUICK_TX).with(Errands.NOTHING));
            }
            db.awaitCount(TASKS, "sweep.task_outcome where status = 'succeeded'");
        }
        assertThat(db.count("sweep.fx")).isEqualTo(TASKS);
        assertThat(db.query("select message from sweep.task_failure where message <> 'the first attempt fails'"))
                .as("attempts that failed by the pooler's fault")
                .isEmpty();
        assertThat(db.count("sweep.task_failure")).isPositive();
        noSettingIsLeft();
        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(message -> message.contains("go through a pooler"))
                .as("said once by each store")
                .hasSize(3);
    }

    @Test
    void migratesThroughThePooler() throws Exception {
        String schema = db.server.newSchemaName("migrated");
        try (Sweep sweep =
                Sweep.create(JooqTaskStore.builder(pool).schema(schema).build())) {
            sweep.migrate();
            sweep.migrate();
            sweep.enqueue(Errands.QUICK.with(Errands.NOTHING));
            assertThat(sweep.counts()).isNotEmpty();
        }
        noSettingIsLeft();
    }

    /** Every tenth task fails once. */
    private Worker worker(String name) {
        return Database.started(db.worker(name, db.anotherSweep(pool))
                .queue("default", 4)
                .batch(10, 50)
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(50)))
                .handle(Errands.QUICK, (nothing, context) -> {
                    failOnce(context.id().value() % 10 == 0 && context.attempt() == 1);
                    Errands.leaveEffect(db.source, db.schema, context, name);
                })
                .handleInTransaction(Errands.QUICK_TX, (nothing, context) -> {
                    Errands.leaveEffectInTransaction(context.connection(), db.schema, context, name);
                    failOnce(context.id().value() % 10 == 0 && context.attempt() == 1);
                }));
    }

    private static void failOnce(boolean isFirst) {
        if (isFirst) {
            throw new IllegalStateException("the first attempt fails");
        }
    }

    /** As many clients at once as there are server sessions, so that each is looked at. */
    private void noSettingIsLeft() throws SQLException {
        pool.getHikariPoolMXBean().softEvictConnections();
        List<Connection> connections = new ArrayList<Connection>();
        try {
            for (int i = 0; i < SERVER_SESSIONS; i++) {
                Connection connection = pooler.dataSource().getConnection();
                connections.add(connection);
                connection.setAutoCommit(false);
                assertThat(db.query(connection, SETTINGS))
                        .as("settings of a server session that another client may get")
                        .isEmpty();
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }
}
