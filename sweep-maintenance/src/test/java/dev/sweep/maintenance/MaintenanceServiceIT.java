package dev.sweep.maintenance;

import static dev.sweep.maintenance.Installation.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.SchemaException;
import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.jooq.JooqTaskStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MaintenanceServiceIT {

    private static final Installation db = Installation.named("service");
    private static final Duration OFTEN = Duration.ofMillis(50);
    private static final Duration SELDOM = Duration.ofHours(1);
    private static final Duration LEASE = Duration.ofSeconds(2);

    @AfterAll
    static void close() {
        db.close();
    }

    @BeforeEach
    void empty() {
        db.execute("truncate sweep.maintenance_lease, sweep.maintenance_chore, sweep.maintenance_policy");
    }

    @Test
    void aChoreRunsAgainAndAgainAndItsRunsAreRecorded() {
        TestChore chore =
                new TestChore("sweeping", OFTEN, context -> ChoreResult.done(7).noting("swept"));
        try (MaintenanceService service = service(db.store, chore)) {
            service.start();
            until("it ran three times", () -> chore.runs.get() >= 3);
            assertThat(service.health().isLeading()).isTrue();
            assertThat(service.health().fault()).isEmpty();
        }
        ChoreState state = db.state("sweeping");
        assertThat(state.runs()).isGreaterThanOrEqualTo(2);
        assertThat(state.rows()).isEqualTo(7);
        assertThat(state.totalRows()).isEqualTo(7 * state.runs());
        assertThat(state.note()).contains("swept");
        assertThat(state.error()).isEmpty();
        assertThat(state.succeededAt()).isPresent();
        assertThat(state.took()).isPresent();
        assertThat(db.leader()).as("the lead was released").isNull();
    }

    @Test
    void aChoreWithMoreToDoRunsAgainSoonFromThePositionThatItKept() {
        List<String> positions = new ArrayList<>();
        TestChore chore = new TestChore("walk", SELDOM, context -> {
            positions.add(context.position().orElse("start"));
            return positions.size() < 4 ? ChoreResult.more(1).at("at " + positions.size()) : ChoreResult.done(1);
        });
        try (MaintenanceService service = service(db.store, chore)) {
            service.start();
            until("the walk is over", () -> chore.runs.get() >= 4);
        }
        assertThat(positions).containsExactly("start", "at 1", "at 2", "at 3");
    }

    @Test
    void aChoreThatFailsStopsNoOtherAndKeepsItsPosition() {
        TestChore failing = new TestChore("failing", OFTEN, context -> {
            if (context.position().isEmpty()) {
                return ChoreResult.more(1).at("here");
            }
            throw new IllegalStateException("out of\nsoap");
        });
        TestChore dying = new TestChore("dying", OFTEN, context -> {
            throw new StackOverflowError();
        });
        TestChore well = new TestChore("well", OFTEN, context -> ChoreResult.done(0));
        try (MaintenanceService service = service(db.store, failing, dying, well)) {
            service.start();
            until("the other runs", () -> well.runs.get() >= 5);
            until("it has failed", () -> failing.runs.get() >= 2);
        }
        ChoreState state = db.state("failing");
        assertThat(state.failures()).isPositive();
        assertThat(state.error()).contains("java.lang.IllegalStateException: out of soap");
        assertThat(state.totalRows()).isEqualTo(1);
        assertThat(state.dueAt()).as("it backs off").isPresent();
        assertThat(db.query("select position from sweep.maintenance_chore where name = 'failing'"))
                .containsExactly("here");
        assertThat(db.state("dying").error()).contains("java.lang.StackOverflowError");
        assertThat(db.query("select due_at > finished_at + interval '2 seconds' from sweep.maintenance_chore"
                        + " where name = 'failing'"))
                .containsExactly(true);
    }

    @Test
    void aChoreThatHangsIsOvertakenAndTheLeadIsKept() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        TestChore hanging = new TestChore("a-hanging", SELDOM, context -> {
            hangs.countDown();
            end.await();
            return ChoreResult.done(0);
        });
        TestChore well = new TestChore("b-well", OFTEN, context -> ChoreResult.done(0));
        try (MaintenanceService service = builder(db.store, hanging, well)
                .budget(Duration.ofMillis(10))
                .stopTimeout(Duration.ofMillis(10))
                .build()) {
            service.start();
            hangs.await();
            until("the other runs beside it", () -> well.runs.get() >= 3);
            assertThat(service.health().running()).contains("a-hanging");
            long until = System.nanoTime() + LEASE.plusSeconds(1).toNanos();
            until("a lease has passed", () -> System.nanoTime() > until);
            assertThat(service.health().isLeading()).isTrue();
        } finally {
            end.countDown();
        }
    }

    @Test
    void aRunIsToldWhenItsTimeIsUp() {
        TestChore patient = new TestChore("patient", SELDOM, context -> {
            until("its time is up", context::isTimeUp);
            return ChoreResult.done(1);
        });
        try (MaintenanceService service =
                builder(db.store, patient).budget(Duration.ofMillis(50)).build()) {
            service.start();
            until("it has ended", () -> db.count("sweep.maintenance_chore where runs = 1") == 1);
        }
    }

    @Test
    void closingTellsTheRunAndIsBounded() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        AtomicBoolean wasTold = new AtomicBoolean();
        TestChore patient = new TestChore("patient", SELDOM, context -> {
            began.countDown();
            until("the service closes", context::isTimeUp);
            wasTold.set(true);
            return ChoreResult.more(3).at("here");
        });
        MaintenanceService service =
                builder(db.store, patient).budget(Duration.ofHours(1)).build();
        service.start();
        began.await();
        service.close();
        assertThat(wasTold).isTrue();
        assertThat(db.state("patient").rows()).isEqualTo(3);
        assertThat(db.leader()).isNull();
    }

    @Test
    void ofTwoServicesOneLeadsAndTheOtherTakesOverFromOneThatVanished() {
        TestChore first = new TestChore("chore", OFTEN, context -> ChoreResult.done(0));
        TestChore second = new TestChore("chore", OFTEN, context -> ChoreResult.done(0));
        CuttableSource cuttable = new CuttableSource(db.server.dataSource());
        try (JooqTaskStore vanishing =
                        JooqTaskStore.builder(cuttable).schema(db.schema).build();
                MaintenanceService one = service(vanishing, first);
                MaintenanceService other = service(db.store, second)) {
            one.start();
            until("the first leads", () -> one.health().isLeading() && first.runs.get() > 1);
            other.start();
            assertThat(second.runs).hasValue(0);
            cuttable.isCut = true;
            until("the other took over", () -> second.runs.get() > 2);
            until("the first knows", () -> !one.health().isLeading());
            assertThat(one.health().fault()).isPresent();
            int runs = first.runs.get();
            cuttable.isCut = false;
            until(
                    "the first reaches the database again",
                    () -> one.health().fault().isEmpty());
            assertThat(one.health().isLeading()).isFalse();
            assertThat(first.runs.get()).isLessThanOrEqualTo(runs + 1);
        }
    }

    @Test
    void theLeadOfAProcessThatWasKilledPassesOn() throws Exception {
        Process leader = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-DSWEEP_TEST_URL=" + urlWithLogin(),
                        LeaderMain.class.getName(),
                        db.schema)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        TestChore chore = new TestChore("chore", OFTEN, context -> ChoreResult.done(0));
        try (MaintenanceService other = service(db.store, chore)) {
            until("it leads", () -> String.valueOf(db.leader()).startsWith("killed-"));
            other.start();
            leader.destroyForcibly().waitFor();
            until("the other leads", () -> chore.runs.get() > 0);
        } finally {
            leader.destroyForcibly();
        }
        assertThat(db.query("select term >= 2 from sweep.maintenance_lease")).containsExactly(true);
    }

    @Test
    void aLeaderThatFrozeRecordsNothingOverItsSuccessor() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch thaw = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        TestChore frozen = new TestChore("chore", SELDOM, context -> {
            began.countDown();
            thaw.await();
            ended.countDown();
            return ChoreResult.more(1_000).at("stale");
        });
        CuttableSource cuttable = new CuttableSource(db.server.dataSource());
        TestChore fresh =
                new TestChore("chore", OFTEN, context -> ChoreResult.more(1).at("fresh"));
        try (JooqTaskStore freezing =
                        JooqTaskStore.builder(cuttable).schema(db.schema).build();
                MaintenanceService one = service(freezing, frozen)) {
            one.start();
            began.await();
            cuttable.isCut = true;
            db.execute("update sweep.maintenance_lease set lease_until = clock_timestamp()");
            try (MaintenanceService other = service(db.store, fresh)) {
                other.start();
                until("the other leads and works", () -> fresh.runs.get() > 1);
                cuttable.isCut = false;
                thaw.countDown();
                ended.await();
                until("the stale run is over", () -> one.health().running().isEmpty());
            }
        }
        assertThat(db.query("select position from sweep.maintenance_chore")).containsExactly("fresh");
        assertThat(db.state("chore").totalRows()).isLessThan(1_000);
    }

    @Test
    void byHandEveryChoreRunsUntilNothingIsLeft() {
        List<Optional<String>> positions = new ArrayList<>();
        TestChore walk = new TestChore("walk", SELDOM, context -> {
            positions.add(context.position());
            return positions.size() < 3 ? ChoreResult.more(10).at("at " + positions.size()) : ChoreResult.done(1);
        });
        TestChore failing = new TestChore("failing", SELDOM, context -> {
            throw new IllegalStateException("no");
        });
        TestChore last =
                new TestChore("last", SELDOM, context -> ChoreResult.done(0).noting("all is well"));
        List<ChoreReport> reports = service(db.store, walk, failing, last).runOnce();
        assertThat(reports).extracting(ChoreReport::name).containsExactly("walk", "failing", "last");
        assertThat(reports).extracting(ChoreReport::runs).containsExactly(3, 1, 1);
        assertThat(reports).extracting(ChoreReport::rows).containsExactly(21L, 0L, 0L);
        assertThat(reports).extracting(ChoreReport::hasFailed).containsExactly(false, true, false);
        assertThat(positions).containsExactly(Optional.empty(), Optional.of("at 1"), Optional.of("at 2"));
        assertThat(db.query("select position from sweep.maintenance_chore where name = 'walk'"))
                .containsExactly((Object) null);
    }

    @Test
    void aChoreThatSaysMoreButGetsNowhereIsNotRunForEver() {
        TestChore stuck = new TestChore("stuck", SELDOM, context -> ChoreResult.more(0));
        assertThat(service(db.store, stuck).runOnce().get(0).runs()).isEqualTo(1);
    }

    @Test
    void allChoresOfSweepRunOnAnEmptySchema() {
        try (MaintenanceService service = MaintenanceService.builder(db.store).build()) {
            assertThat(service.runOnce()).extracting(ChoreReport::error).containsOnly(Optional.empty());
            assertThat(service.chores()).extracting(ChoreState::name).contains("old-tasks", "reclaim", "totals");
        }
    }

    @Test
    void onAServerThatIsReadOnlyItWaitsAndThenWorks() {
        String role = db.schema + "_reader";
        db.execute("create role \"" + role + "\" superuser login password 'reader'");
        db.execute("alter role \"" + role + "\" set default_transaction_read_only = on");
        TestChore chore = new TestChore("chore", OFTEN, context -> ChoreResult.done(0));
        try (JooqTaskStore readOnly =
                        JooqTaskStore.builder(as(role)).schema(db.schema).build();
                MaintenanceService service = service(readOnly, chore)) {
            service.start();
            until("it says so", () -> service.health().fault().isPresent());
            assertThat(service.health().fault().orElseThrow()).contains("25006");
            assertThat(service.health().isLeading()).isFalse();
            db.execute("alter role \"" + role + "\" reset default_transaction_read_only");
            until("it works", () -> chore.runs.get() > 0);
            assertThat(service.health().fault()).isEmpty();
        } finally {
            db.execute("drop role \"" + role + "\"");
        }
    }

    @Test
    @SuppressWarnings("try") // one is closed before the other
    void aRoleWithoutTheOwnersRightsNeverLeadsAndKeepsNobodyFromIt() {
        String role = db.schema + "_worker";
        db.execute("create role \"" + role + "\" login password 'reader'");
        db.execute("grant all on schema " + db.schema + " to \"" + role + "\"");
        db.execute("grant all on all tables in schema " + db.schema + " to \"" + role + "\"");
        TestChore hers = new TestChore("chore", OFTEN, context -> ChoreResult.done(0));
        TestChore owners = new TestChore("chore", OFTEN, context -> ChoreResult.done(0));
        try (JooqTaskStore unable =
                        JooqTaskStore.builder(as(role)).schema(db.schema).build();
                MaintenanceService worker = service(unable, hers);
                MaintenanceService owner = service(db.store, owners)) {
            worker.start();
            until("it says so", () -> worker.health().fault().isPresent());
            assertThat(worker.health().fault().orElseThrow())
                    .contains("role " + role + " lacks the rights of " + db.server.user(), "run maintenance as");
            assertThat(db.leader()).isNull();
            owner.start();
            until("the owner leads", () -> owners.runs.get() > 1);
            assertThat(owner.health().fault()).isEmpty();
            assertThat(hers.runs).hasValue(0);

            db.execute("grant \"" + db.server.user() + "\" to \"" + role + "\"");
            owner.close();
            until("it leads once it may", () -> hers.runs.get() > 0);
            assertThat(worker.health().fault()).isEmpty();
        } finally {
            db.execute("drop owned by \"" + role + "\"");
            db.execute("drop role \"" + role + "\"");
        }
    }

    @Test
    void aRetentionThatCanNotBeKeptYetWaitsUntilTheServerTakesWrites() {
        String role = db.schema + "_reader";
        db.execute("create role \"" + role + "\" superuser login password 'reader'");
        db.execute("alter role \"" + role + "\" set default_transaction_read_only = on");
        List<Object> keptAtFirstRun = new CopyOnWriteArrayList<>();
        TestChore chore = new TestChore("chore", SELDOM, context -> {
            keptAtFirstRun.addAll(keptDays());
            return ChoreResult.done(0);
        });
        try (JooqTaskStore readOnly =
                        JooqTaskStore.builder(as(role)).schema(db.schema).build();
                MaintenanceService service = builder(readOnly, chore)
                        .succeededFor(Duration.ofDays(14))
                        .build()) {
            service.start();
            until("it says so", () -> service.health().fault().isPresent());
            assertThatThrownBy(builder(readOnly, chore)
                            .succeededFor(Duration.ofDays(14))
                            .build()::runOnce)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("read-only");
            db.execute("alter role \"" + role + "\" reset default_transaction_read_only");
            until("it works", () -> chore.runs.get() > 0);
            assertThat(service.health().fault()).isEmpty();
        } finally {
            db.execute("drop role \"" + role + "\"");
        }
        assertThat(keptAtFirstRun).containsExactly(14);
    }

    @Test
    void aRoleWithoutTheOwnersRightsSetsNoRetentionAndSaysSo() {
        String role = db.schema + "_guest";
        db.execute("create role \"" + role + "\" login password 'reader'");
        db.execute("grant usage on schema " + db.schema + " to \"" + role + "\"");
        db.execute("grant select on all tables in schema " + db.schema + " to \"" + role + "\"");
        try (JooqTaskStore unable =
                        JooqTaskStore.builder(as(role)).schema(db.schema).build();
                MaintenanceService worker =
                        builder(unable).succeededFor(Duration.ofDays(14)).build()) {
            worker.start();
            until("it says so", () -> worker.health().fault().isPresent());
            assertThat(worker.health().fault().orElseThrow())
                    .contains("run maintenance as their owner; the retention that it was given is not kept");
            assertThatThrownBy(builder(unable).keepOldPartitions().build()::runOnce)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll("the retention can't be kept: role " + role + " lacks the rights of");
            assertThat(keptDays()).isEmpty();

            db.execute("grant \"" + db.server.user() + "\" to \"" + role + "\"");
            until("it is kept once it may be", () -> keptDays().contains(14));
            until("that is said no more", () -> worker.health().fault().isEmpty());
        } finally {
            db.execute("drop owned by \"" + role + "\"");
            db.execute("drop role \"" + role + "\"");
        }
    }

    @Test
    void aRetentionIsKeptAlsoWhileAnotherLeads() {
        try (MaintenanceService leader = service(db.store);
                MaintenanceService other =
                        builder(db.store).succeededFor(Duration.ofDays(14)).build()) {
            leader.start();
            until("it leads", () -> leader.health().isLeading());
            other.start();
            until("the other's retention is kept", () -> keptDays().contains(14));
            assertThat(other.health().isLeading()).isFalse();
        }
    }

    private static List<Object> keptDays() {
        return db.query("select (extract(epoch from succeeded_for) / 86400)::integer from sweep.maintenance_policy");
    }

    @Test
    void whatAClockThatWasAheadPutOffForLongIsDueAndWhatWaitsAsLongAsItMayIsNot() {
        TestChore putOff = new TestChore("put-off", OFTEN, context -> ChoreResult.done(0));
        TestChore waiting = new TestChore("waiting", SELDOM, context -> ChoreResult.done(0));
        db.execute(
                "insert into sweep.maintenance_chore (name, due_at) values"
                        + " ('put-off', clock_timestamp() + interval '1 hour'), ('waiting', clock_timestamp() + interval '2 hours')");
        try (MaintenanceService service = service(db.store, putOff, waiting)) {
            service.start();
            until("it runs again and again", () -> putOff.runs.get() > 2);
            assertThat(waiting.runs).hasValue(0);
        }
    }

    @Test
    void choresWhoseRowsVanishUnderALeaderRunOn() {
        TestChore often = new TestChore("often", OFTEN, context -> ChoreResult.done(0));
        TestChore seldom = new TestChore("seldom", SELDOM, context -> ChoreResult.done(0));
        try (MaintenanceService service = service(db.store, often, seldom)) {
            service.start();
            until("both ran", () -> often.runs.get() > 0 && seldom.runs.get() > 0);
            db.execute("delete from sweep.maintenance_chore");
            until("it runs again", () -> seldom.runs.get() > 1);
            int runs = often.runs.get();
            until("the other too", () -> often.runs.get() > runs);
            assertThat(db.query("select term from sweep.maintenance_lease")).containsExactly(1L);
        }
    }

    @Test
    void aSchemaThatIsMissingIsToldAtTheStart() {
        try (JooqTaskStore nowhere =
                        JooqTaskStore.builder(db.source).schema("not_there").build();
                MaintenanceService service = MaintenanceService.builder(nowhere).build()) {
            assertThatThrownBy(service::start).isInstanceOf(SchemaException.class);
            assertThatThrownBy(service::runOnce).isInstanceOf(SchemaException.class);
        }
    }

    @Test
    void itStartsOnce() {
        MaintenanceService service = service(db.store);
        service.start();
        assertThatThrownBy(service::start).hasMessageContaining("was started before; build a new one");
        service.close();
        service.close();
        assertThatThrownBy(service::start).hasMessageContaining("was closed before; build a new one");
    }

    private static String urlWithLogin() {
        String url = db.server.jdbcUrl();
        return url + (url.contains("?") ? "&" : "?") + "user=" + db.server.user() + "&password=" + db.server.password();
    }

    private static DataSource as(String role) {
        return new CuttableSource(db.server.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                return getConnection(role, "reader");
            }
        };
    }

    private static MaintenanceService service(JooqTaskStore store, Chore... chores) {
        return builder(store, chores).build();
    }

    /** With these chores alone. */
    private static MaintenanceBuilder builder(JooqTaskStore store, Chore... chores) {
        MaintenanceBuilder builder = MaintenanceService.builder(store).leaseDuration(LEASE);
        new Chores(
                        RetentionPolicy.STORED,
                        null,
                        UnaryOperator.identity(),
                        LEASE,
                        LEASE,
                        new MaintenanceEvents("", List.of()))
                .all()
                .forEach(chore -> builder.without(chore.name()));
        for (Chore chore : chores) {
            builder.chore(chore);
        }
        return builder;
    }
}
