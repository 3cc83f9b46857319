package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.maintenance.Doctor;
import dev.sweep.maintenance.Finding;
import dev.sweep.maintenance.Gauges;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.testing.PostgresServer;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The grants of docs/operating.md, applied as they stand there: what each role can do, and what it can't. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class RolesIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final String DENIED = "permission denied";

    @Nested
    class OnOneTable extends Roles {}

    @Nested
    class OnPartitions extends Roles {

        @Override
        void prepare(JooqTaskStore owner) {
            PartitionManager.of(owner).enable(CalendarPeriod.WEEK);
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Roles {

        private final PostgresServer server = PostgresServer.shared();
        private final String schema = server.newSchemaName("roles");
        private final HikariDataSource superuser = pool(server.user());
        private HikariDataSource owners;
        private HikariDataSource enqueuers;
        private HikariDataSource workers;
        private HikariDataSource monitors;

        void prepare(JooqTaskStore owner) {}

        @BeforeAll
        void followThePage() {
            List<String> blocks =
                    DocPage.read("docs/operating.md").section("## Roles").blocks("sql");
            assertThat(blocks).hasSize(2);
            run(superuser, blocks.get(0));
            owners = pool(role("sweep_owner"));
            store(owners).migrate();
            prepare(store(owners));
            run(owners, blocks.get(1));
            for (String role : List.of("sweep_enqueue", "sweep_worker", "sweep_monitor")) {
                run(superuser, "alter role " + role + " login");
            }
            run(superuser, "create table sweep.fx (n int); grant insert on sweep.fx to sweep_worker");
            enqueuers = pool(role("sweep_enqueue"));
            workers = pool(role("sweep_worker"));
            monitors = pool(role("sweep_monitor"));
        }

        @AfterAll
        void cleanUp() {
            List.of(owners, enqueuers, workers, monitors).forEach(HikariDataSource::close);
            server.dropSchema(schema);
            for (String role : List.of("sweep_enqueue", "sweep_worker", "sweep_monitor", "sweep_owner")) {
                run(superuser, "drop owned by " + role + "; drop role " + role);
            }
            superuser.close();
        }

        @Test
        void whoEnqueuesCanDoThatByJavaAndBySqlAlsoWithDedupKeys() {
            try (Sweep sweep = Sweep.create(store(enqueuers))) {
                sweep.store().verify();
                TaskId first =
                        sweep.enqueue(TYPE.with(Json.of("{}")).dedupKey("java")).id();
                assertThat(sweep.enqueue(TYPE.with(Json.of("{}")).dedupKey("java"))
                                .id())
                        .isEqualTo(first);
            }
            Object id = one(enqueuers, "select sweep.enqueue_task('t', '{\"a\": 1}', dedup_key => 'sql')");
            assertThat(one(enqueuers, "select sweep.enqueue_task('t', '{}', dedup_key => 'sql')"))
                    .isEqualTo(id);
            assertThat(one(superuser, "select count(*) from sweep.task where id = " + id))
                    .isEqualTo(1L);
        }

        @Test
        void whoEnqueuesTakesOverAKeyWhoseOwnerHasEnded() {
            Object ended = one(owners, "select sweep.enqueue_task('t', '{}', dedup_key => 'window')");
            run(owners, "update sweep.task_key set until = now() - interval '1 second' where key = 'window'");

            assertThat(one(enqueuers, "select sweep.enqueue_task('t', '{}', dedup_key => 'window')"))
                    .isNotEqualTo(ended);
        }

        @Test
        void whoEnqueuesTakesOverAKeyWhoseOwnerIsGone() {
            run(owners, "insert into sweep.task_key (key, id) values ('ownerless', 42)");

            assertThat(one(enqueuers, "select sweep.enqueue_task('t', '{}', dedup_key => 'ownerless')"))
                    .isNotEqualTo(42L);
        }

        @Test
        void whoEnqueuesCanNeitherReadNorClaimNorCancelNorChangeTheSchema() {
            Object id = one(enqueuers, "select sweep.enqueue_task('t', '{}')");
            for (String sql : List.of(
                    "select payload from sweep.task",
                    "select * from sweep.tasks",
                    "select * from sweep.tasks_waiting",
                    "select result from sweep.task_outcome",
                    "select * from sweep.task_failure",
                    "select * from sweep.dead_letter",
                    "select id from sweep.task_ready",
                    "delete from sweep.task_ready",
                    "delete from sweep.task",
                    "update sweep.task set payload = '{}'",
                    "insert into sweep.task_running select",
                    "insert into sweep.task_outcome select",
                    "select sweep.cancel_task(" + id + ")",
                    "select sweep.reprioritise_task(" + id + ", 10)",
                    "select sweep.pause_queue('default')",
                    "truncate sweep.task_key",
                    "select payload from sweep." + leaf())) {
                assertDenied(enqueuers, sql);
            }
            assertNoDdl(enqueuers);
        }

        @Test
        void aWorkerRunsAllThatWorkersDo() {
            try (Sweep sweep = Sweep.create(store(workers))) {
                TaskType<Json> failing = TaskType.json("failing");
                TaskType<Json> retried = TaskType.json("retried");
                TaskType<Json> booked = TaskType.json("booked");
                TaskType<Json> cancelled = TaskType.json("cancelled");
                TaskType<Json> snoozed = TaskType.json("snoozed");
                // Lost before: claimed by one that vanishes.
                TaskId lost = sweep.enqueue(TYPE.with(Json.of("{}"))).id();
                store(workers)
                        .claim(new ClaimRequest(
                                "vanished", Set.of("t"), Map.of("default", 100), 1, Duration.ofMillis(1), true));
                try (Worker worker = Database.started(Database.reclaiming(Worker.builder(sweep)
                                .name("w")
                                .logging(event -> {})
                                .pollInterval(Duration.ofMillis(10), Duration.ofMillis(50)))
                        .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                        .handle(TYPE, (nothing, context) -> {})
                        .handleForOutcome(failing, (nothing, context) -> Outcome.fail("for good"))
                        .handleForOutcome(
                                retried,
                                (nothing, context) ->
                                        context.attempt() == 1 ? Outcome.retry("once") : Outcome.complete())
                        .handleForOutcome(cancelled, (nothing, context) -> Outcome.cancel("not wanted"))
                        .handleForOutcome(snoozed, (nothing, context) -> Outcome.snooze(Duration.ofHours(1)))
                        .handleInTransaction(booked, (nothing, context) -> {
                            try (Statement statement = context.connection().createStatement()) {
                                statement.execute(inSchema("insert into sweep.fx values (1)"));
                            }
                            sweep.enqueue(
                                    context.connection(),
                                    TYPE.with(Json.of("{}")).dedupKey("fan-out"));
                        }))) {
                    awaitStatus(sweep, lost, TaskStatus.SUCCEEDED);
                    awaitStatus(sweep, enqueued(sweep, booked), TaskStatus.SUCCEEDED);
                    awaitStatus(sweep, enqueued(sweep, retried), TaskStatus.SUCCEEDED);
                    awaitStatus(sweep, enqueued(sweep, failing), TaskStatus.FAILED);
                    awaitStatus(sweep, enqueued(sweep, cancelled), TaskStatus.CANCELLED);
                    TaskId later = enqueued(sweep, snoozed);
                    Awaiting.until(
                            "it is snoozed",
                            () -> one(superuser, "select count(*) from sweep.task_ready where moved and id = " + later)
                                    .equals(1L));
                }
                assertThat(one(superuser, "select count(*) from sweep.fx")).isEqualTo(1L);
                assertThat(sweep.counts()).isNotEmpty();
            }
        }

        @Test
        void aWorkerChangesNoSchemaAndNoHistory() {
            assertNoDdl(workers);
            assertDenied(workers, "delete from sweep.task");
            assertDenied(workers, "delete from sweep.task_outcome");
            assertDenied(workers, "update sweep.task_outcome set status = 'failed'");
            assertDenied(workers, "delete from sweep.dead_letter");
        }

        @Test
        void theOwnerMaintains() {
            PartitionManager.of(store(owners)).care();
            run(owners, "analyze sweep.task");
            run(owners, "reindex index sweep.task_ready_moved");
            Object id = one(owners, "select sweep.enqueue_task('never-run', '{}')");
            assertThat(one(owners, "select sweep.cancel_task(" + id + ")")).isEqualTo("cancelled");
            assertThat(one(owners, "select sweep.requeue_task(" + id + ")")).isNotNull();
        }

        @Test
        void whoMonitorsSeesAllThatTheDoctorLooksAtAndNoPayload() {
            JooqTaskStore store = store(monitors);

            assertThat(Doctor.of(store).examine().findings())
                    .noneMatch(finding -> finding.what().contains("not visible"))
                    .noneMatch(finding -> finding.what().contains("could not look"));
            assertThat(Gauges.of(store).read())
                    .last()
                    .satisfies(last -> assertThat(last.samples().get(0).value()).isZero());
            assertDenied(monitors, "select payload from sweep.task");
            assertDenied(monitors, "select sweep.enqueue_task('t', '{}')");
            assertNoDdl(monitors);
        }

        @Test
        void theDoctorSaysWhatARoleCanNotSee() {
            List<Finding> findings = Doctor.of(store(enqueuers)).examine().findings();

            assertThat(findings)
                    .filteredOn(finding -> finding.what().contains("not visible to this role"))
                    .allMatch(finding -> finding.remedy().contains("pg_monitor"))
                    .extracting(Finding::check)
                    .contains("leases", "orphans", "chores", "waiting", "horizon");
            assertThat(findings)
                    .filteredOn(finding -> List.of("schema", "clock", "indexes").contains(finding.check()))
                    .hasSize(3)
                    .allMatch(finding -> finding.level() == Finding.Level.OK);
        }

        private void assertNoDdl(HikariDataSource role) {
            for (String sql : List.of(
                    "create table sweep.mine ()",
                    "create function sweep.mine() returns int language sql return 1",
                    "drop table sweep.task_ready",
                    "alter table sweep.task add column mine int",
                    "create index on sweep.task_ready (type)",
                    "alter table sweep.task detach partition sweep." + leaf())) {
                assertThatThrownBy(() -> run(role, sql))
                        .as(sql)
                        .hasMessageMatching("(?s).*(permission denied|must be owner).*");
            }
        }

        private void assertDenied(HikariDataSource role, String sql) {
            assertThatThrownBy(() -> run(role, sql)).as(sql).hasMessageContaining(DENIED);
        }

        private String leaf() {
            return (String) one(
                    superuser,
                    "select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid"
                            + " where i.inhparent = 'sweep.task'::regclass order by 1 limit 1");
        }

        private TaskId enqueued(Sweep sweep, TaskType<Json> type) {
            return sweep.enqueue(type.with(Json.of("{}"))).id();
        }

        private void awaitStatus(Sweep sweep, TaskId id, TaskStatus status) {
            Awaiting.until(
                    id + " has " + status, () -> sweep.find(id).orElseThrow().status() == status);
        }

        private JooqTaskStore store(HikariDataSource source) {
            return JooqTaskStore.builder(source).schema(schema).build();
        }

        private HikariDataSource pool(String role) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(server.jdbcUrl());
            pool.setUsername(role);
            pool.setPassword(server.password());
            pool.setMaximumPoolSize(12);
            pool.setMinimumIdle(0);
            return pool;
        }

        private String role(String name) {
            return name + "_" + schema;
        }

        /** The page's names of schema and roles become this test's own, which nobody else on the server has. */
        private String inSchema(String sql) {
            return sql.replaceAll("\\bsweep_(owner|enqueue|worker|monitor)\\b", "sweep_$1_" + schema)
                    .replace("schema sweep ", "schema " + schema + " ")
                    .replace("sweep.", schema + ".");
        }

        private void run(HikariDataSource role, String sql) {
            try (Connection connection = role.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(inSchema(sql));
            } catch (SQLException e) {
                throw new IllegalStateException(sql + ": " + e.getMessage(), e);
            }
        }

        private Object one(HikariDataSource role, String sql) {
            try (Connection connection = role.getConnection();
                    Statement statement = connection.createStatement();
                    var rows = statement.executeQuery(inSchema(sql))) {
                return rows.next() ? rows.getObject(1) : null;
            } catch (SQLException e) {
                throw new IllegalStateException(sql + ": " + e.getMessage(), e);
            }
        }
    }
}
