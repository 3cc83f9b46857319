package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.TaskType;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.testing.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The chores of a few lines, and all of them on the oldest PostgreSQL and beside another installation. */
class SmallChoresIT {

    private static final Installation db = Installation.named("small");

    @AfterAll
    static void close() {
        db.close();
    }

    @Test
    void tasksOfVanishedWorkersAreTakenBackWhenNoWorkerLives() {
        db.sweep.enqueue(TaskType.json("some.type").with(Json.of("{}")));
        db.store.claim(new ClaimRequest(
                "vanished", Set.of("some.type"), Map.of("default", 1), 0, Duration.ofMillis(1), false));
        assertThat(db.run(new LeaseReclaimer(Duration.ofMillis(1))).rows()).isEqualTo(1);
        assertThat(db.count("sweep.task_ready where losses = 1")).isEqualTo(1);
        db.execute("truncate sweep.task, sweep.task_ready");
    }

    @Test
    void deadLettersAreMovedAndLaterPurged() {
        db.ended("old-", 2, "100 days", "91 days", "failed");
        db.ended("new-", 3, "100 days", "89 days", "failed");
        assertThat(db.run(new DeadLetterMover()).rows()).isEqualTo(5);
        assertThat(db.count("sweep.dead_letter")).isEqualTo(5);
        assertThat(db.run(new DeadLetterPurger(database -> Retention.DEFAULT)).rows())
                .isEqualTo(2);
        assertThat(db.query("select distinct left(dedup_key, 4) from sweep.dead_letter"))
                .containsExactly("new-");
    }

    @Test
    void workersThatAreLongGoneAreForgotten() {
        db.execute("""
                insert into sweep.worker (id, started_at, seen_at, stopped_at, host, pid, version, slots, listening, queues,
                                          types)
                select id, clock_timestamp() - interval '9 days', clock_timestamp() - seen, clock_timestamp() - stopped,
                       'h', 1, 'v', 1, 'listening', '{}', '{}'
                from (values ('runs', interval '5 seconds', null), ('vanished', '25 hours', null),
                             ('vanished lately', '23 hours', null), ('stopped', '25 hours', interval '25 hours'))
                     w(id, seen, stopped)
                """);
        assertThat(db.run(new WorkerPurger(Duration.ofDays(1))).rows()).isEqualTo(2);
        assertThat(db.query("select id from sweep.worker order by id")).containsExactly("runs", "vanished lately");
    }

    @Test
    void partitionedParentsAreAnalysedWhichAutovacuumNeverDoes() {
        try (Installation fresh = Installation.named("analyse")) {
            fresh.ended("k-", 2_000, "3 days", "1 day", "succeeded");
            assertThat(analysedParents(fresh)).isZero();
            ChoreResult first = fresh.run(new StatisticsCare());
            assertThat(first.rows()).isGreaterThanOrEqualTo(3);
            assertThat(analysedParents(fresh)).isEqualTo(3);
            assertThat(fresh.run(new StatisticsCare(), first.position()).rows())
                    .as("not again so soon")
                    .isZero();
            String sixHoursAgo = Instant.now().minus(Duration.ofHours(6)).toString();
            assertThat(fresh.run(new StatisticsCare(), Optional.of(sixHoursAgo)).rows())
                    .isEqualTo(3);
        }
    }

    @Test
    void analysingWaitsForNobodyAndNobodyForIt() throws SQLException {
        try (Installation fresh = Installation.named("analyse_lock");
                Connection other = fresh.source.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            // The strongest lock that enqueues, claims and outcomes take lets SHARE UPDATE EXCLUSIVE pass.
            statement.execute(fresh.inSchema("lock table sweep.task in row exclusive mode"));
            assertThat(fresh.run(new StatisticsCare()).rows()).isEqualTo(3);
            other.rollback();
        }
    }

    @Test
    void allOfThemRunOnTheOldestPostgres() {
        try (PostgresServer oldest = PostgresServer.embedded()
                        .binaries(Path.of(System.getProperty("sweep.test.postgres.oldest")))
                        .start();
                Installation old = Installation.on(oldest, "oldest")) {
            old.ended("k-", 20, "30 days", "20 days", "succeeded");
            old.ended("new-", 5, "2 days", "1 day", "succeeded");
            old.ended("f-", 20, "30 days", "20 days", "failed");
            try (MaintenanceService service =
                    MaintenanceService.builder(old.store).build()) {
                assertThat(service.runOnce()).extracting(ChoreReport::error).containsOnly(Optional.empty());
            }
            assertThat(old.count("sweep.task")).isEqualTo(5);
            assertThat(old.count("sweep.dead_letter")).isEqualTo(20);
            assertThat(analysedParents(old)).isEqualTo(3);
        }
    }

    @Test
    void oneInstallationIsMaintainedWithoutAnEffectOnAnotherWhateverItsName() {
        String quoted = "Sweep-B \"x\" 'y' " + db.schema;
        try (Installation other = Installation.withSchema(quoted);
                Installation mine = Installation.named("b75")) {
            for (Installation each : List.of(other, mine)) {
                each.ended("k-", 5, "30 days", "20 days", "succeeded");
                each.ended("f-", 5, "30 days", "20 days", "failed");
            }
            assertThat(report(mine)).containsOnly(Optional.empty());
            assertThat(mine.count("sweep.task")).isZero();
            assertThat(other.count("sweep.task")).isEqualTo(10);
            assertThat(other.count("sweep.maintenance_chore")).isZero();
            assertThat(analysedParents(other)).isZero();
            assertThat(report(other)).containsOnly(Optional.empty());
            assertThat(other.count("sweep.task")).isZero();
            assertThat(other.count("sweep.dead_letter")).isEqualTo(5);
        }
    }

    private static List<Optional<String>> report(Installation installation) {
        try (MaintenanceService service =
                MaintenanceService.builder(installation.store).build()) {
            return service.runOnce().stream().map(ChoreReport::error).toList();
        }
    }

    private static long analysedParents(Installation installation) {
        return (Long) installation
                .query("select count(distinct tablename) from pg_stats where schemaname = '"
                        + installation.schema.replace("'", "''")
                        + "' and tablename in ('task', 'task_outcome', 'task_failure') and inherited")
                .get(0);
    }
}
