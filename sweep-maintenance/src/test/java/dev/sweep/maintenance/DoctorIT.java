package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase.Limits;
import dev.sweep.maintenance.Finding.Level;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.testing.EmbeddedServerBuilder;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the doctor says of each thing that can be wrong, on a server whose settings are sound. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoctorIT {

    private PostgresServer server;
    private Patient patient;
    private boolean isSpoilt = true;

    EmbeddedServerBuilder embedded() {
        return PostgresServer.embedded();
    }

    @BeforeAll
    void start() {
        server = embedded()
                .durable(true)
                .setting("max_prepared_transactions", "5")
                .start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void install() {
        patient = isSpoilt ? new Patient(server) : patient;
        isSpoilt = false;
    }

    /** For tests that change more than rows. */
    private void spoil() {
        isSpoilt = true;
    }

    @AfterEach
    void clean() {
        if (isSpoilt) {
            patient.close();
        } else {
            patient.empty();
        }
    }

    @Test
    void ofAFreshInstallationOnlyMaintenanceIsMissing() {
        Diagnosis diagnosis = patient.examine();

        assertThat(diagnosis.findings())
                .extracting(Finding::check)
                .doesNotHaveDuplicates()
                .hasSize(15);
        assertThat(diagnosis.findings())
                .filteredOn(finding -> finding.level() != Level.OK)
                .singleElement()
                .satisfies(finding -> assertThat(finding.check()).isEqualTo("chores"));
        assertThat(diagnosis.level()).isEqualTo(Level.WARNING);
    }

    @Test
    void oneThatMaintainsItselfIsWell() {
        chore("due_at = now() + interval '1 minute', succeeded_at = now()");

        assertThat(patient.examine().level()).isEqualTo(Level.OK);
    }

    @Test
    void withoutASchemaThatIsAllThereIsToSay() {
        JooqTaskStore nowhere =
                JooqTaskStore.builder(server.dataSource()).schema("no-such").build();

        assertThat(Doctor.of(nowhere).examine().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.FAULT);
            assertThat(finding.remedy()).contains("sweep migrate");
        });
    }

    @Test
    void aSchemaThatIsTooNewIsAFault() {
        spoil();
        patient.execute("update sweep.schema_info set min_code_version = 99");

        assertThat(fault("schema").what()).contains("needs code of version 99");
    }

    @Test
    void aCheckThatFailsStopsNoOther() {
        spoil();
        patient.execute("drop table sweep.maintenance_chore");

        assertThat(warning("chores").what()).contains("could not look");
        assertThat(patient.examine().findings())
                .filteredOn(finding -> finding.level() != Level.OK)
                .hasSize(1);
    }

    @Test
    void anInvalidIndexIsNamed() {
        spoil();
        patient.execute("create index \"task_ready_pkey_ccnew\" on sweep.task_ready (id)");
        patient.execute(
                "update pg_index set indisvalid = false where indexrelid = 'sweep.\"task_ready_pkey_ccnew\"'::regclass");

        assertThat(warning("indexes")).satisfies(finding -> {
            assertThat(finding.what()).contains("task_ready_pkey_ccnew of task_ready is invalid");
            assertThat(finding.remedy()).contains("interrupted rebuild", "DROP INDEX CONCURRENTLY");
        });
    }

    @Test
    void aPartitionWithoutItsKeyIsAFault() {
        spoil();
        patient.execute("alter table sweep.task_failure_all drop constraint task_failure_all_pkey");

        assertThat(fault("indexes").what()).contains("task_failure_all has no valid primary key");
    }

    @Test
    void theRunwayIsAnAlarmBelowTwoAndAFaultBelowOne() {
        spoil();
        PartitionManager.of(patient.store).enable(CalendarPeriod.DAY);
        Finding fine = found("partitions", Level.OK);
        assertThat(fine.what()).contains("4 days ahead");
        assertThat(fine.numbers()).containsEntry("periodsAhead", 4L);

        dropAllAfter(2);
        assertThat(warning("partitions").what()).contains("1 days ahead");
        dropAllAfter(1);
        assertThat(fault("partitions").numbers()).containsEntry("periodsAhead", 0L);
        dropAllAfter(0);
        assertThat(fault("partitions").what()).contains("no partition holds the present time");
    }

    /** Of one of the three tables only: the shortest runway counts. Keeps those that begin within so many days. */
    private void dropAllAfter(int days) {
        patient.query("""
                select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'sweep.task_outcome'::regclass
                  and (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([^'']+)''\\)'))[1]::timestamptz
                      > date_trunc('day', now(), 'UTC') + interval '%s days'
                """.formatted(days)).forEach(leaf -> patient.execute("drop table sweep." + leaf));
    }

    @Test
    void anUnfinishedConversionNamesItsDeadline() {
        patient.execute(
                "insert into sweep.partition_plan (period, first_bound) values ('week', now() + interval '50 hours')");
        assertThat(warning("partitions").what()).contains("conversion", "UTC, in 49 h");

        patient.execute("update sweep.partition_plan set first_bound = now() + interval '5 hours'");
        assertThat(fault("partitions").what()).contains("in 4 h");
    }

    @Test
    void aDefaultPartitionIsNamed() {
        spoil();
        PartitionManager.of(patient.store).enable(CalendarPeriod.WEEK);
        patient.execute("create table sweep.task_rest partition of sweep.task default");

        assertThat(warning("partitions").what()).contains("task_rest is a default partition");
    }

    @Test
    void aTableThatSomeoneDetachedFromARangeInUseIsAFaultAndOneThatRetentionTookOffIsNone() {
        patient.execute("alter table sweep.task detach partition sweep.task_all");

        assertThat(fault("partitions").what()).contains("task_all was detached by hand");

        patient.execute("insert into sweep.partition_retired (name, lower_at, upper_at, stage)"
                + " values ('all', '-infinity', 'infinity', 'chosen')");
        found("partitions", Level.OK);
    }

    @Test
    void oldLiveTasksAndStuckRetirementsAreStragglers() {
        patient.execute(
                "insert into sweep.partition_plan (period, first_bound, converted_at) values ('week', now(), now())");
        patient.execute("insert into sweep.partition_retired (name, lower_at, upper_at, stage, changed_at)"
                + " values ('2020w01', now(), now(), 'chosen', now() - interval '30 hours')");
        long old = waiting("now() - interval '40 days'");

        assertThat(patient.findings("stragglers"))
                .hasSize(2)
                .extracting(Finding::what)
                .satisfiesExactly(
                        what -> assertThat(what).contains("2020w01", "chosen", "30 h"),
                        what -> assertThat(what).contains(String.valueOf(old)));
    }

    @Test
    void whatNobodyExportsIsToldOnceItIsADayLate() {
        spoil();
        patient.execute("insert into sweep.maintenance_policy (succeeded_for, cancelled_for, old_partitions)"
                + " values ('3 days', '1 day', 'export')");
        String end = "alter table sweep.task attach partition sweep.task_all for values from (minvalue) to ('%s')";
        patient.execute("alter table sweep.task detach partition sweep.task_all");
        patient.execute(end.formatted(Instant.now().minus(Duration.ofDays(4)).plusSeconds(600)));
        found("stragglers", Level.OK);

        patient.execute("alter table sweep.task detach partition sweep.task_all");
        patient.execute(end.formatted(Instant.now().minus(Duration.ofDays(4)).minusSeconds(1)));
        assertThat(warning("stragglers")).satisfies(finding -> {
            assertThat(finding.what()).startsWith("1 partitions are to be exported");
            assertThat(finding.remedy()).contains("sweep partitions retire --export DIR");
        });

        patient.execute("update sweep.maintenance_policy set old_partitions = 'drop'");
        found("stragglers", Level.OK);
    }

    @Test
    void theOldestDueTaskIsAFaultOnlyWithoutWorkers() {
        waiting("now() - interval '20 minutes'");
        assertThat(fault("waiting").what()).contains("queue default has waited 20 min", "no worker is alive");

        worker("default", "t");
        assertThat(warning("waiting").numbers()).containsEntry("workers", 1L);
    }

    @Test
    void aPausedQueueWaitsOnPurposeUntilItIsForgotten() {
        waiting("now() - interval '20 minutes'");
        patient.execute("select sweep.pause_queue('default')");
        found("waiting", Level.OK);

        waiting("now() - interval '3 days'");
        assertThat(warning("waiting").remedy()).contains("sweep resume");
    }

    /** Case B16: pending of unknown type. */
    @Test
    void dueTasksThatNoLiveWorkerRunsAreTold() {
        patient.execute("select sweep.enqueue_task('unknown', '{}'), sweep.enqueue_task('known', '{}')");
        found("types", Level.OK);

        worker("default", "known");
        worker("elsewhere", "unknown");
        assertThat(warning("types").what()).contains("unknown type", "type unknown of queue default");
    }

    @Test
    void leasesThatNobodyTakesBackAreTold() {
        patient.execute("insert into sweep.task_lease (claimed_at, lease_until, worker)"
                + " values (now(), now() - interval '5 minutes', 'gone')");
        patient.execute("insert into sweep.task_running (lease, id, due_at, retries, losses, rank, moved, queue, type)"
                + " select id, 1, now(), 0, 0, 1, false, 'default', 't' from sweep.task_lease");
        assertThat(warning("leases").what()).contains("1 leases have lapsed, the first 5 min ago");

        patient.execute("update sweep.task_lease set lease_until = now() - interval '1 hour'");
        fault("leases");
    }

    @Test
    void leasesFromAClockThatWasAheadAreTold() {
        patient.execute("insert into sweep.task_lease (claimed_at, lease_until, worker)"
                + " values (now(), now() + interval '1 day', 'alive')");
        patient.execute("insert into sweep.task_running (lease, id, due_at, retries, losses, rank, moved, queue, type)"
                + " select id, 1, now(), 0, 0, 1, false, 'default', 't' from sweep.task_lease");
        found("leases", Level.OK);

        patient.execute("update sweep.task_lease set lease_until = now() + interval '49 hours 5 minutes'");
        assertThat(warning("leases").what()).contains("1 leases", "clock was ahead", "2 d");

        patient.execute("update sweep.task_lease set claimed_at = now() + interval '3 hours',"
                + " lease_until = now() + interval '4 hours'");
        assertThat(warning("leases").what()).contains("1 leases", "clock was ahead");
    }

    @Test
    void aTaskInNoPlaceIsAFault() {
        patient.execute("select sweep.enqueue_task('t', '{}')");
        found("orphans", Level.OK);
        Object id = patient.query("delete from sweep.task_ready returning id").get(0);

        assertThat(fault("orphans").what()).contains(id.toString());
    }

    @Test
    void choresThatFailOrAreLateAreTold() {
        chore("due_at = now() - interval '2 hours'");
        assertThat(warning("chores").what()).contains("chore purge is late by 2 h, and nobody leads");

        patient.execute(
                "insert into sweep.maintenance_lease (holder, lease_until) values ('ahead', now() + interval '1 year')");
        assertThat(warning("chores").what()).contains("and nobody leads");
        patient.execute("update sweep.maintenance_lease set lease_until = now() + interval '1 minute'");
        assertThat(warning("chores").what()).doesNotContain("nobody leads");
        patient.execute("delete from sweep.maintenance_lease");

        chore("due_at = now() - interval '2 days'");
        fault("chores");

        chore("due_at = now() + interval '1 minute', failures = 3, error = 'SECRET-4711'");
        assertThat(warning("chores")).satisfies(finding -> {
            assertThat(finding.what()).contains("failed 3 times in a row");
            assertThat(finding.toString()).doesNotContain("SECRET-4711");
        });
    }

    @Test
    void everyHolderOfTheHorizonIsNamedWithoutItsStatement() throws SQLException {
        try (Connection idle = server.dataSource().getConnection();
                Connection prepared = server.dataSource().getConnection()) {
            idle.setAutoCommit(false);
            idle.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            patient.execute(idle, "set application_name = 'forgotten'");
            patient.execute(idle, "select 'SECRET-4711'");
            prepared.setAutoCommit(false);
            patient.execute(prepared, "create table sweep.x (); prepare transaction 'gid-1'");

            assertThat(horizon(new HorizonCheck.Bounds(Duration.ZERO, Duration.ofHours(1), 0)))
                    .allMatch(finding -> finding.level() == Level.WARNING)
                    .extracting(Finding::what)
                    .anyMatch(what -> what.contains("(forgotten), idle in transaction keeps dead rows"))
                    .anyMatch(what -> what.contains("prepared transaction 'gid-1' of postgres in database postgres"))
                    .noneMatch(what -> what.contains("SECRET-4711"));
            assertThat(horizon(new HorizonCheck.Bounds(Duration.ZERO, Duration.ZERO, 0)))
                    .anyMatch(finding -> finding.level() == Level.FAULT);
            found("horizon", Level.OK);
        } finally {
            patient.execute("rollback prepared 'gid-1'");
        }
    }

    private List<Finding> horizon(HorizonCheck.Bounds bounds) {
        return examined(new HorizonCheck(new DoctorStatements(patient.store.database()), bounds));
    }

    private List<Finding> examined(Check check) {
        Findings found = new Findings(check.name());
        patient.store.database().inTransaction(Limits.OF_ROWS, sql -> {
            check.examine(sql, found);
            return found;
        });
        return found.all();
    }

    @Test
    void transactionsOfOthersAreHiddenFromARoleWithoutRights() throws SQLException {
        String role = "looker_" + System.nanoTime();
        patient.execute("create role " + role);
        try (Connection other = server.dataSource().getConnection()) {
            patient.execute(other, "select 1");
            patient.store.database().inTransaction(Limits.OF_ROWS, sql -> {
                sql.execute("set local role " + role);
                Findings found = new Findings("horizon");
                new HorizonCheck(new DoctorStatements(patient.store.database()), HorizonCheck.Bounds.DEFAULT)
                        .examine(sql, found);
                assertThat(found.all())
                        .singleElement()
                        .satisfies(finding -> assertThat(finding.what())
                                .contains("the transactions of other roles are not visible to this role"));
                return found;
            });
        } finally {
            patient.execute("drop role " + role);
        }
    }

    @Test
    void workersThatDoNotHearAreTold() {
        worker("default", "t");
        found("wake-ups", Level.OK);

        patient.execute("update sweep.worker set listening = 'deaf'");
        assertThat(warning("wake-ups").what()).contains("1 live workers", "pooler");
    }

    /** Case B85: the database's clock decides; that this host's is off is said. */
    @Test
    void aClockThatIsOffIsTold() {
        Clock fast = Clock.fixed(Instant.now().plusSeconds(600), ZoneOffset.UTC);

        assertThat(examined(new ClockCheck(new DoctorStatements(patient.store.database()), fast)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.WARNING);
                    assertThat(finding.what()).contains("ms behind this host's");
                });
    }

    @Test
    void settingsThatHurtAreTold() {
        spoil();
        patient.execute("alter system set autovacuum = off");
        patient.execute("alter system set track_activities = off");
        // The server was started with this one on, which is stronger than alter system.
        patient.execute("alter database postgres set synchronous_commit = off");
        patient.execute("alter system set idle_in_transaction_session_timeout = '1s'");
        patient.execute("alter table sweep.task_running set (autovacuum_enabled = false)");
        patient.execute("select pg_reload_conf()");
        try {
            Set<String> told = Set.of(
                    "autovacuum is off:",
                    "track_activities is off",
                    "synchronous_commit is off",
                    "idle_in_transaction_session_timeout is 1000 ms",
                    "autovacuum is off for task_running");
            // The postmaster passes the new settings on when it gets to it.
            Instant deadline = Instant.now().plusSeconds(30);
            while (!missing(told).isEmpty() && Instant.now().isBefore(deadline)) {
                Thread.onSpinWait();
            }
            assertThat(missing(told)).isEmpty();
        } finally {
            patient.execute("alter system reset all");
            patient.execute("alter database postgres reset all");
            patient.execute("select pg_reload_conf()");
        }
    }

    private Set<String> missing(Set<String> told) {
        List<Finding> findings = patient.findings("settings");
        return told.stream()
                .filter(part ->
                        findings.stream().noneMatch(finding -> finding.what().contains(part)))
                .collect(Collectors.toSet());
    }

    @Test
    void bloatAndDeadRowsAreTold() {
        spoil();
        patient.execute("alter table sweep.task_ready set (autovacuum_enabled = false)");
        patient.execute("insert into sweep.task_ready (queue, rank, due_at, id, type)"
                + " select 'default', 1, now() + interval '1 hour', n, 't' from generate_series(1, 120000) n");
        patient.execute("delete from sweep.task_ready");
        Instant deadline = Instant.now().plusSeconds(30);
        while (found("dead-rows").level() == Level.OK && Instant.now().isBefore(deadline)) {
            Thread.onSpinWait();
        }
        assertThat(warning("dead-rows").what()).contains("task_ready has 120000 dead rows beside 0 live ones");
    }

    private long waiting(String dueAt) {
        return (Long) patient.query("""
                with t as (select sweep.id_at(at, 7) as id, at from (select %s as at) x),
                     stored as (insert into sweep.task (id, created_at, due_at, type, payload)
                                select id, at, at, 't', '{}' from t)
                insert into sweep.task_ready (queue, rank, due_at, id, type) select 'default', 9, at, id, 't' from t
                returning id
                """.formatted(dueAt)).get(0);
    }

    private void worker(String queue, String type) {
        patient.execute("insert into sweep.worker (id, host, pid, version, slots, listening, queues, types) values ('"
                + queue + "', 'h', 1, '1', 1, 'listening', '{" + queue + "}', '{" + type + "}')");
    }

    private void chore(String columns) {
        patient.execute("insert into sweep.maintenance_chore (name) values ('purge') on conflict do nothing");
        patient.execute("update sweep.maintenance_chore set " + columns + " where name = 'purge'");
    }

    private Finding fault(String check) {
        return found(check, Level.FAULT);
    }

    private Finding warning(String check) {
        return found(check, Level.WARNING);
    }

    private Finding found(String check, Level level) {
        Finding finding = found(check);
        assertThat(finding.level()).as(finding.toString()).isEqualTo(level);
        return finding;
    }

    private Finding found(String check) {
        List<Finding> findings = patient.findings(check);
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }
}
