package dev.sweep.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Enqueued;
import dev.sweep.InvalidConfigurationException;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.testing.SteppedEngine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of the past go when nothing in them is live, on the newest PostgreSQL and on the oldest. */
class PartitionRetentionIT {

    private static final TaskType<String> NOTE = TaskType.of("note", String.class);
    private static final Instant SYLVESTER = Instant.parse("2020-12-31T12:00:00Z");

    final Installation database = newInstallation();

    Installation newInstallation() {
        return Installation.fresh();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void weeksOverAYearEndGoWithTheirKeysAndTheirShareOfTheTotals() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        long first = weeks.succeeded(Instant.parse("2020-12-28T00:00:00Z"), "a");
        long last = weeks.succeeded(Instant.parse("2021-01-03T23:59:59Z"), "b");
        weeks.failure(last, SYLVESTER);
        long next = weeks.succeeded(Instant.parse("2021-01-04T00:00:00Z"), "c");
        weeks.outcome(weeks.task(Instant.parse("2020-12-29T00:00:00Z"), "d"), "cancelled", SYLVESTER);
        weeks.waiting(weeks.task(Instant.parse("2021-01-10T23:59:59Z"), "live"), Instant.now(), false);

        RetentionReport report = weeks.retention().build().run();

        assertThat(report.retired())
                .contains(new RetiredRange("2020w53", RetiredRange.Fate.DROPPED, 3))
                .extracting(RetiredRange::name)
                .doesNotContain("2021w01")
                .contains("2021w02", "2021w03", "2021w04");
        assertThat(report.staying()).extracting(StayingRange::name).containsExactly("2021w01");
        assertThat(weeks.tablesOf("2020w53")).isZero();
        assertThat(weeks.tablesOf("2021w01")).isEqualTo(3);
        assertThat(database.query("select key from sweep.task_key order by 1")).containsExactly("c", "live");
        assertThat(weeks.counted("succeeded")).isEqualTo(1);
        assertThat(weeks.counted("cancelled")).isZero();
        assertThat(database.query("select sum(run_micros)::bigint from sweep.stat_delta"))
                .containsExactly(1_000_000L);
        assertThat(database.sweep.find(TaskId.of(first))).isEmpty();
        assertThat(database.sweep.find(TaskId.of(next))).isPresent();
        assertThat(database.sweep.cancel(TaskId.of(last))).isEmpty();
        assertThat(database.sweep.enqueue(NOTE.with("again").dedupKey("a")).isNew())
                .isTrue();
        assertThat(weeks.retention().build().run().retired()).isEmpty();
    }

    @Test
    void aWeekStaysWholeAndInUseUntilItsLastTaskIsFinishedLongEnough() {
        Instant then = Instant.now().minus(OldWeeks.LONG_AGO);
        OldWeeks weeks = new OldWeeks(database, then);
        Instant now = Instant.now();
        long pending = weeks.task(then, "pending");
        weeks.waiting(pending, then, false);
        long delayed = weeks.task(then, null);
        weeks.waiting(delayed, now.plus(Duration.ofDays(30)), true);
        long running = weeks.task(then, null);
        weeks.run(
                "insert into sweep.task_running (lease, id, due_at, retries, losses, rank, moved, queue, type)"
                        + " values (7, ?, ?::timestamptz, 0, 0, 9, false, 'default', 't')",
                running,
                then);
        long retrying = weeks.task(then, null);
        weeks.waiting(retrying, now.plusSeconds(3600), true);
        weeks.outcome(weeks.task(then, null), "cancelled", then.plusSeconds(5));
        long lately = weeks.task(then, null);
        weeks.outcome(lately, "succeeded", now.minus(Duration.ofDays(1)));
        weeks.succeeded(then, null);
        long nowhere = weeks.task(then, "lost");
        String week = CalendarPeriod.WEEK.rangeOf(then).name();
        PartitionRetention retention = weeks.retention().build();

        RetentionReport report = retention.run();

        assertThat(report.retired()).extracting(RetiredRange::name).doesNotContain(week);
        StayingRange staying = staying(report, week);
        assertThat(staying.stragglers())
                .containsExactlyInAnyOrder(
                        straggler(pending, Straggler.Place.WAITING),
                        straggler(delayed, Straggler.Place.WAITING),
                        straggler(retrying, Straggler.Place.WAITING),
                        straggler(running, Straggler.Place.RUNNING));
        assertThat(staying.why()).contains(pending + " (waiting)");
        Enqueued same = database.sweep.enqueue(NOTE.with("again").dedupKey("pending"));
        assertThat(same.isNew()).isFalse();
        assertThat(same.id()).isEqualTo(TaskId.of(pending));
        assertThat(database.sweep.find(TaskId.of(running))).isPresent();
        assertThat(database.sweep.cancel(TaskId.of(delayed))).contains(TaskStatus.CANCELLED);
        assertThat(database.sweep.cancel(TaskId.of(running))).contains(TaskStatus.CANCELLED);
        assertThat(database.sweep.cancel(TaskId.of(retrying))).contains(TaskStatus.CANCELLED);
        SteppedEngine.of(database.sweep)
                .handle(TaskType.json("t"), (payload, context) -> {})
                .drain();
        assertThat(database.sweep.find(TaskId.of(pending)).orElseThrow().status())
                .isEqualTo(TaskStatus.SUCCEEDED);

        assertThat(staying(retention.run(), week).stragglers())
                .contains(
                        straggler(nowhere, Straggler.Place.NOWHERE),
                        straggler(lately, Straggler.Place.ENDED_LATELY),
                        straggler(pending, Straggler.Place.ENDED_LATELY));
        assertThat(weeks.tablesOf(week)).isEqualTo(3);

        weeks.outcome(nowhere, "cancelled", then);
        weeks.run("update sweep.task_outcome set finished_at = created_at + interval '1 minute', started_at = null");
        assertThat(retention.run().retired()).contains(new RetiredRange(week, RetiredRange.Fate.DROPPED, 8));
        assertThat(database.sweep.find(TaskId.of(pending))).isEmpty();
    }

    @Test
    void theWeekOfThePresentNeverGoesNorOneThatIsNotOverLongEnough() {
        OldWeeks weeks = new OldWeeks(database, Instant.now().minus(Duration.ofDays(14)));

        RetentionReport report =
                weeks.retention().finishedFor(Duration.ofMinutes(1)).build().run();

        PartitionRange present = CalendarPeriod.WEEK.rangeOf(Instant.now());
        assertThat(report.retired())
                .extracting(RetiredRange::name)
                .contains("all")
                .doesNotContain(present.name());
        assertThat(database.partitions().state().runway()).hasValue(4);
        assertThat(weeks.retention()
                        .finishedFor(Duration.ofDays(36_500))
                        .build()
                        .run()
                        .retired())
                .isEmpty();
    }

    @Test
    void anOpenTransactionThatHasWrittenToAWeekKeepsIt() throws SQLException {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        try (Connection other = database.source.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(database.inSchema("insert into sweep.task (id, created_at, due_at, type, payload) values"
                    + " (sweep.id_at('2021-01-01T00:00:00Z', 1), '2021-01-01T00:00:00Z', now(), 't', '{}')"));

            statement.execute("select pg_sleep(5.2)");

            RetentionReport report = weeks.retention().build().run();

            assertThat(staying(report, "2020w53").why()).contains("an open transaction has written to it");
            assertThat(staying(report, "all").why())
                    .contains("the transaction of process")
                    .contains("has used task and would hold up the detach");
            assertThat(pending()).isZero();
            other.commit();
        }
        assertThat(staying(weeks.retention().build().run(), "2020w53").stragglers())
                .extracting(Straggler::place)
                .containsExactly(Straggler.Place.NOWHERE);
    }

    @Test
    void aDetachThatATransactionHeldUpIsBroughtToItsEnd() throws SQLException {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        weeks.succeeded(SYLVESTER, "a");
        try (Connection other = database.source.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(database.inSchema("select from sweep.task limit 1"));

            RetentionReport report = weeks.retention().build().run();

            assertThat(staying(report, "all").why()).contains("put off to the next run");
            assertThat(pending()).isEqualTo(1);
            assertThat(staying(report, "2020w53").why()).contains("the detach of task_all has to end first");
            other.rollback();
        }
        RetentionReport report = weeks.retention().build().run();

        assertThat(report.retired()).extracting(RetiredRange::name).contains("all", "2020w53");
        assertThat(report.repaired()).anyMatch(repair -> repair.contains("range all"));
        assertThat(pending()).isZero();
    }

    @Test
    void aDetachThatSomeoneElseLeftUnfinishedIsEndedAndTakenBack() throws SQLException {
        Instant present = Instant.now();
        OldWeeks weeks = new OldWeeks(database, present.minus(OldWeeks.LONG_AGO));
        String week = CalendarPeriod.WEEK.rangeOf(present).name();
        Enqueued live = database.sweep.enqueue(NOTE.with("live"));
        try (Connection other = database.source.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(database.inSchema("select from sweep.task limit 1"));
            assertThatThrownBy(() -> database.execute(
                            "set lock_timeout = '100ms'",
                            "alter table sweep.task detach partition sweep.task_" + week + " concurrently"))
                    .hasMessageContaining("lock timeout");
            database.execute("reset lock_timeout");
            other.rollback();
        }
        assertThat(database.sweep.find(live.id())).isEmpty();

        RetentionReport report = weeks.retention().build().run();

        assertThat(report.repaired()).anyMatch(repair -> repair.contains(week));
        assertThat(pending()).isZero();
        assertThat(database.sweep.find(live.id())).isPresent();
        assertThat(database.sweep.enqueue(NOTE.with("more")).isNew()).isTrue();
        assertThat(database.query("select stage from sweep.partition_retired where name = '" + week + "'"))
                .isEmpty();
    }

    /** By hand, plainly or by ending an interrupted detach: its sisters still tell that the range is in use. */
    @ParameterizedTest
    @ValueSource(strings = {"task", "task_failure", "task_outcome", "task task_failure", "task task_outcome"})
    void aRangeThatSomeoneElseDetachedInPartIsTakenBackWithAllThatIsLive(String detached) {
        Instant present = Instant.now();
        OldWeeks weeks = new OldWeeks(database, present.minus(OldWeeks.LONG_AGO));
        String week = CalendarPeriod.WEEK.rangeOf(present).name();
        Enqueued lost = database.sweep.enqueue(NOTE.with("lost"));
        Enqueued live = database.sweep.enqueue(NOTE.with("live"));
        List<Object> leaves = allLeaves();
        for (String table : detached.split(" ", -1)) {
            database.execute("alter table sweep." + table + " detach partition sweep." + table + "_" + week);
        }
        database.execute("delete from sweep.task_ready where id = " + lost.id().value());

        RetentionReport report = weeks.retention().build().run();

        assertThat(report.repaired()).anyMatch(repair -> repair.contains(week));
        assertThat(allLeaves()).isEqualTo(leaves);
        assertThat(database.sweep.find(lost.id()).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
        assertThat(database.sweep.find(live.id()).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
        assertThat(SteppedEngine.of(database.sweep)
                        .handle(NOTE, (note, context) -> {})
                        .drain()
                        .succeeded())
                .isEqualTo(2);
        assertThat(database.query("select name from sweep.partition_retired where stage <> 'dropped'"))
                .isEmpty();
    }

    /** Retention is at it (chosen, returning), or nobody knows of it yet; the detach itself is over. */
    @ParameterizedTest
    @CsvSource({"chosen, true", "returning, true", "'', false", "'', true"})
    void aClaimPutsOffWhatIsHiddenAndKeepsItsPlaceAmongTheOthers(String stage, boolean isOutcomeOff) {
        Instant present = Instant.now();
        OldWeeks weeks = new OldWeeks(database, present.minus(OldWeeks.LONG_AGO));
        PartitionRange week = CalendarPeriod.WEEK.rangeOf(present);
        database.sweep.enqueue(NOTE.with("live"));
        database.execute(
                "update sweep.task_ready set retries = 3, rank = 2, due_at = now() - interval '1 minute', moved = true");
        if (!stage.isEmpty()) {
            under(weeks, week, stage);
        }
        if (isOutcomeOff) {
            database.execute("alter table sweep.task_outcome detach partition sweep.task_outcome_" + week.name());
        }
        database.execute("alter table sweep.task detach partition sweep.task_" + week.name());

        SteppedEngine.of(database.sweep).handle(NOTE, (note, context) -> {}).drain();

        assertThat(database.query("select format('%s %s', retries, rank) from sweep.task_ready"))
                .containsExactly("3 2");
        RetentionReport report = weeks.retention().build().run();
        assertThat(report.repaired()).noneMatch(repair -> repair.contains("in no place"));
        assertThat(database.query("select format('%s %s', retries, rank) from sweep.task_ready"))
                .containsExactly("3 2");
    }

    /** There is never a moment without a transaction that writes to entries, but each of them ends. */
    @Test
    void aRangeIsGivenBackWhileProducersNeverRest() throws Exception {
        Instant present = Instant.now();
        OldWeeks weeks = new OldWeeks(database, present.minus(OldWeeks.LONG_AGO));
        PartitionRange week = CalendarPeriod.WEEK.rangeOf(present);
        weeks.retention().build().run();
        under(weeks, week, "returning");
        AtomicBoolean isOver = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(4);
        ExecutorService producers = Executors.newFixedThreadPool(4);
        List<Future<?>> produced = new ArrayList<>();
        try {
            for (int n = 0; n < 4; n++) {
                produced.add(producers.submit(() -> {
                    while (!isOver.get()) {
                        try (Connection connection = database.source.getConnection();
                                Statement statement = connection.createStatement()) {
                            connection.setAutoCommit(false);
                            statement.execute(database.inSchema("select sweep.enqueue_task('note', '{}')"));
                            begun.countDown();
                            statement.execute("select pg_sleep(0.5)");
                            connection.commit();
                        }
                    }
                    return null;
                }));
            }
            begun.await();

            RetentionReport report = weeks.retention().build().run();

            assertThat(report.staying()).isEmpty();
            assertThat(database.count("sweep.partition_retired where stage = 'returning'"))
                    .isZero();
        } finally {
            isOver.set(true);
            producers.shutdown();
        }
        for (Future<?> producer : produced) {
            producer.get(20, TimeUnit.SECONDS);
        }
    }

    /** Those of the weeks that do not go. */
    private List<Object> allLeaves() {
        String present = CalendarPeriod.WEEK.rangeOf(Instant.now()).name();
        return database.query("select c.relname::text from pg_class c where c.relispartition and c.relname like 'task%"
                + present + "' and c.relnamespace = '\"" + database.schema + "\"'::regnamespace order by 1");
    }

    @Test
    void whatIsFoundLiveAfterItsDetachIsAttachedAgain() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        long late = weeks.task(SYLVESTER, "late");
        weeks.waiting(late, SYLVESTER, false);
        under(weeks, CalendarPeriod.WEEK.rangeOf(SYLVESTER), "chosen");

        RetentionReport report = weeks.retention().build().run();

        assertThat(staying(report, "2020w53").stragglers()).containsExactly(straggler(late, Straggler.Place.WAITING));
        assertThat(database.leaves("task")).contains("task_2020w53");
        assertThat(database.leaves("task_failure")).contains("task_failure_2020w53");
        assertThat(database.leaves("task_outcome")).contains("task_outcome_2020w53");
        assertThat(database.sweep.find(TaskId.of(late))).isPresent();
        assertThat(database.sweep.enqueue(NOTE.with("x").dedupKey("late")).isNew())
                .isFalse();
    }

    @Test
    void aRangeChosenByAClockThatWasAheadIsJudgedAgainBeforeItsDetach() {
        Instant present = Instant.now();
        OldWeeks weeks = new OldWeeks(database, present.minus(OldWeeks.LONG_AGO));
        PartitionRange week = CalendarPeriod.WEEK.rangeOf(present);
        Enqueued live = database.sweep.enqueue(NOTE.with("live"));
        under(weeks, week, "chosen");
        List<Object> before = tablesAsTheyAre(week);

        RetentionReport report = weeks.retention().build().run();

        assertThat(staying(report, week.name()).why()).contains("not past the retention");
        assertThat(tablesAsTheyAre(week)).isEqualTo(before);
        assertThat(database.query("select id from sweep.task_ready"))
                .containsExactly(live.id().value());
        assertThat(database.sweep.enqueue(NOTE.with("more")).isNew()).isTrue();
        assertThat(SteppedEngine.of(database.sweep)
                        .handle(NOTE, (note, context) -> {})
                        .drain()
                        .succeeded())
                .isEqualTo(2);
        assertThat(database.query("select stage from sweep.partition_retired where name = '" + week.name() + "'"))
                .isEmpty();
    }

    @Test
    void whatLostItsPlaceWhileItsWeekWasHiddenWaitsAgain() {
        Instant present = Instant.now();
        OldWeeks weeks = new OldWeeks(database, present.minus(OldWeeks.LONG_AGO));
        PartitionRange week = CalendarPeriod.WEEK.rangeOf(present);
        Enqueued lost = database.sweep.enqueue(NOTE.with("lost").priority(7).queue("q"));
        Enqueued waiting = database.sweep.enqueue(NOTE.with("waiting"));
        List<Object> entries = database.query("select r::text from sweep.task_ready r order by id");
        database.execute("alter table sweep.task detach partition sweep.task_" + week.name());
        database.execute("delete from sweep.task_ready where id = " + lost.id().value());
        under(weeks, week, "returning");

        RetentionReport report = weeks.retention().build().run();

        assertThat(report.repaired()).contains("1 tasks of range " + week.name() + " were in no place and wait again");
        assertThat(database.query("select r::text from sweep.task_ready r order by id"))
                .isEqualTo(entries);
        assertThat(database.sweep.find(lost.id()).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
        assertThat(database.sweep.find(waiting.id())).isPresent();
        assertThat(weeks.retention().build().run().repaired()).isEmpty();
    }

    /** A claim that began while the week was hidden drops the entry of a task that it does not see, and commits late. */
    @Test
    void whatAClaimIsDroppingWhileItsWeekComesBackWaitsAgain() throws Exception {
        Instant present = Instant.now();
        OldWeeks weeks = new OldWeeks(database, present.minus(OldWeeks.LONG_AGO));
        PartitionRange week = CalendarPeriod.WEEK.rangeOf(present);
        Enqueued live = database.sweep.enqueue(NOTE.with("live"));
        database.execute("alter table sweep.task detach partition sweep.task_" + week.name());
        under(weeks, week, "returning");
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (Connection claim = database.source.getConnection();
                Statement statement = claim.createStatement()) {
            claim.setAutoCommit(false);
            statement.execute(database.inSchema(
                    "delete from sweep.task_ready where id = " + live.id().value()));

            Future<RetentionReport> run =
                    other.submit(() -> weeks.retention().build().repair(() -> false));
            assertThatThrownBy(() -> run.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            claim.commit();

            assertThat(run.get().repaired())
                    .contains("1 tasks of range " + week.name() + " were in no place and wait again");
        } finally {
            other.shutdown();
        }
        assertThat(database.query("select id from sweep.task_ready"))
                .containsExactly(live.id().value());
    }

    @Test
    void aFailedOutcomeWithoutItsTaskKeepsNothing() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        long odd = weeks.task(SYLVESTER, null);
        weeks.outcome(odd, "failed", SYLVESTER);
        weeks.run("delete from sweep.task where id = ?", odd);

        assertThat(weeks.retention().build().run().retired())
                .contains(new RetiredRange("2020w53", RetiredRange.Fate.DROPPED, 0));
    }

    @Test
    void oneRangeThatMeetsAnErrorKeepsNoOther() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        database.execute("create view sweep.uses as select id from sweep.task_2020w53");

        RetentionReport report = weeks.retention().build().run();

        assertThat(report.failed()).extracting(StayingRange::name).containsExactly("2020w53");
        assertThat(report.hasFailed()).isTrue();
        assertThat(report.retired()).extracting(RetiredRange::name).contains("2021w01", "2021w04");
        database.execute("drop view sweep.uses");
        RetentionReport next = weeks.retention().build().run();
        assertThat(next.retired()).extracting(RetiredRange::name).containsExactly("2020w53");
        assertThat(next.hasFailed()).isFalse();
    }

    @Test
    void aRunThatIsToldToEndBeginsNothingNewAndTheNextOneGoesOn() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        AtomicInteger asked = new AtomicInteger();

        RetentionReport report = weeks.retention().build().run(() -> asked.incrementAndGet() > 12);

        assertThat(report.retired()).hasSizeLessThan(5);
        assertThat(weeks.tablesOf("2021w04")).isEqualTo(3);
        assertThat(weeks.retention().build().run(() -> true).retired()).isEmpty();
        weeks.retention().build().run();
        assertThat(weeks.tablesOf("2021w04")).isZero();
    }

    private static void under(OldWeeks weeks, PartitionRange range, String stage) {
        weeks.run(
                "insert into sweep.partition_retired (name, lower_at, upper_at, stage) values"
                        + " (?, ?::timestamptz, ?::timestamptz, ?)",
                range.name(),
                range.from(),
                range.to(),
                stage);
    }

    /** A detach leaves a constraint behind, also after the table is attached again. */
    private List<Object> tablesAsTheyAre(PartitionRange range) {
        return database.query(
                "select c.relname || ' ' || c.relispartition || ' ' || (select count(*) from pg_constraint k"
                        + " where k.conrelid = c.oid and k.contype = 'c') from pg_class c where c.relkind = 'r' and c.relname like"
                        + " 'task%\\_" + range.name() + "' and c.relnamespace = '\"" + database.schema
                        + "\"'::regnamespace order by 1");
    }

    @Test
    void aKeptWeekIsATableOfItsOwnThatNobodyTouchesAgain() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        weeks.succeeded(SYLVESTER, "a");

        RetentionReport report = weeks.retention().thenKeep().build().run();

        assertThat(report.retired()).contains(new RetiredRange("2020w53", RetiredRange.Fate.KEPT, 1));
        assertThat(database.count("sweep.task_2020w53")).isEqualTo(1);
        assertThat(database.leaves("task")).doesNotContain("task_2020w53");
        weeks.retention().thenDrop().build().run();
        assertThat(weeks.tablesOf("2020w53")).isEqualTo(3);
    }

    @Test
    void aKeyThatSomeoneElseOwnsByNowIsLeftToThem() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        long old = weeks.succeeded(SYLVESTER, "a");
        weeks.run("update sweep.task_key set id = 42 where id = ?", old);

        weeks.retention().build().run();

        assertThat(weeks.tablesOf("2020w53")).isZero();
        assertThat(database.query("select id from sweep.task_key")).containsExactly(42L);
    }

    @Test
    void whatHasFailedIsADeadLetterWithItsKeyBeforeItsWeekGoes() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        long failed = weeks.task(SYLVESTER, "dead");
        weeks.failure(failed, SYLVESTER);
        weeks.outcome(failed, "failed", SYLVESTER);

        weeks.retention().build().run();

        assertThat(weeks.tablesOf("2020w53")).isZero();
        assertThat(database.query("select id from sweep.dead_letter")).containsExactly(failed);
        assertThat(database.query("select status from sweep.tasks where id = " + failed))
                .containsExactly("failed");
        assertThat(database.query("select key from sweep.task_key")).containsExactly("dead");
        assertThat(weeks.counted("failed")).isEqualTo(1);
    }

    @Test
    void aPreviewSaysTheSameAndChangesNothing() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        weeks.waiting(weeks.task(SYLVESTER, null), SYLVESTER, false);
        List<Object> before = database.leaves("task");

        RetentionReport report = weeks.retention().build().preview();

        assertThat(report.staying()).extracting(StayingRange::name).containsExactly("2020w53");
        assertThat(report.retired())
                .extracting(RetiredRange::fate)
                .containsOnly(RetiredRange.Fate.WOULD_GO)
                .hasSize(5);
        assertThat(database.leaves("task")).isEqualTo(before);
    }

    @Test
    void aRepairChoosesNothingAndGivesUpNothing() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        weeks.succeeded(SYLVESTER, "a");
        under(weeks, CalendarPeriod.WEEK.rangeOf(SYLVESTER), "chosen");
        PartitionRetention retention = weeks.retention().build();

        RetentionReport report = retention.repair(() -> false);

        assertThat(report.repaired()).hasSize(1).allMatch(repair -> repair.contains("2020w53"));
        assertThat(report.retired()).isEmpty();
        assertThat(weeks.tablesOf("2020w53")).isEqualTo(3);
        assertThat(database.query("select stage from sweep.partition_retired")).containsExactly("released");
        assertThat(database.leaves("task")).contains("task_all", "task_2021w01").doesNotContain("task_2020w53");
        assertThat(retention.repair(() -> false).repaired()).isEmpty();
        assertThat(retention.run().retired()).contains(new RetiredRange("2020w53", RetiredRange.Fate.DROPPED, 1));
    }

    /** Chosen under a shorter retention, and not dropped yet: since then someone has raised it. */
    @ParameterizedTest
    @ValueSource(strings = {"released", "exported"})
    void whatIsToStayLongerByNowComesBackHoweverFarItsRetirementHasCome(String stage, @TempDir Path folder) {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        weeks.succeeded(SYLVESTER, "a");
        under(weeks, CalendarPeriod.WEEK.rangeOf(SYLVESTER), "chosen");
        weeks.retention().build().repair(() -> false);
        weeks.run("update sweep.partition_retired set stage = ?", stage);

        RetentionReport longer = weeks.retention()
                .finishedFor(Duration.ofDays(36_000))
                .thenExport(folder)
                .build()
                .run();

        assertThat(folder).isEmptyDirectory();
        assertThat(longer.retired()).isEmpty();
        assertThat(longer.staying()).singleElement().satisfies(staying -> {
            assertThat(staying.name()).isEqualTo("2020w53");
            assertThat(staying.why()).contains("not past the retention any more");
        });
        assertThat(database.leaves("task")).contains("task_2020w53");
        assertThat(weeks.counted("succeeded")).isEqualTo(1);
        assertThat(database.count("sweep.partition_retired")).isZero();

        assertThat(weeks.retention().build().run().retired())
                .contains(new RetiredRange("2020w53", RetiredRange.Fate.DROPPED, 1));
        assertThat(weeks.counted("succeeded")).isZero();
    }

    /** The owner was faster: there is nothing left that could come back. */
    @Test
    void whatIsToStayLongerButWasDroppedByHandIsGone() {
        OldWeeks weeks = releasedWithout("sweep.task_2020w53, sweep.task_outcome_2020w53, sweep.task_failure_2020w53");

        RetentionReport longer = keptLonger(weeks, null);

        assertThat(longer.staying()).isEmpty();
        assertThat(longer.retired())
                .singleElement()
                .satisfies(gone -> assertThat(gone.fate()).isEqualTo(RetiredRange.Fate.DROPPED));
    }

    /** What is left is not dropped, and nothing passes for exported that is not. */
    @ParameterizedTest
    @CsvSource({
        "false, sweep.task_outcome_2020w53",
        "true, sweep.task_outcome_2020w53",
        "true, 'sweep.task_2020w53, sweep.task_outcome_2020w53, sweep.task_failure_2020w53'"
    })
    void whatIsToStayLongerButMissesTablesIsTold(boolean isExporting, String missing, @TempDir Path folder) {
        OldWeeks weeks = releasedWithout(missing);

        RetentionReport longer = keptLonger(weeks, isExporting ? folder : null);

        assertThat(longer.retired()).isEmpty();
        assertThat(longer.staying())
                .singleElement()
                .satisfies(staying -> assertThat(staying.why()).contains("of its tables only", "restore the others"));
        assertThat(database.query("select stage from sweep.partition_retired")).containsExactly("released");
    }

    private OldWeeks releasedWithout(String tables) {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        weeks.succeeded(SYLVESTER, "a");
        under(weeks, CalendarPeriod.WEEK.rangeOf(SYLVESTER), "chosen");
        weeks.retention().build().repair(() -> false);
        weeks.run("drop table " + tables);
        return weeks;
    }

    /** Ends also if it would go round for ever. */
    private static RetentionReport keptLonger(OldWeeks weeks, @Nullable Path folder) {
        PartitionRetentionBuilder retention = weeks.retention().finishedFor(Duration.ofDays(36_000));
        AtomicInteger asked = new AtomicInteger();
        return (folder == null ? retention : retention.thenExport(folder))
                .build()
                .run(() -> asked.incrementAndGet() > 1_000);
    }

    @Test
    void anotherInstallationInTheDatabaseIsLeftAlone() {
        OldWeeks weeks = new OldWeeks(database, SYLVESTER);
        try (OldWeeks others = new OldWeeks(database.beside(), SYLVESTER)) {
            others.succeeded(SYLVESTER, "theirs");
            List<Object> before = others.database.leaves("task");

            weeks.retention().build().run();

            assertThat(weeks.tablesOf("2020w53")).isZero();
            assertThat(others.database.leaves("task")).isEqualTo(before);
            assertThat(others.database.count("sweep.task_key")).isEqualTo(1);
        }
    }

    @Test
    void badSettingsAreRefusedWithTheirBounds() {
        assertThatThrownBy(() -> PartitionRetention.builder(database.store)
                        .finishedFor(Duration.ZERO)
                        .build())
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("finishedFor PT0S")
                .hasMessageContaining("PT1M to 36500 days");
    }

    /** A default could be shorter than what the installation was told. */
    @Test
    void howLongAndWhatThenHaveToBeChosen() {
        assertThatThrownBy(() -> PartitionRetention.builder(database.store).build())
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("finishedFor is not set")
                .hasMessageContaining("call thenDrop, thenKeep or thenExport");
    }

    private long pending() {
        return database.count("pg_inherits where inhdetachpending and inhparent = '" + database.inSchema("sweep.task")
                + "'::regclass");
    }

    private static Straggler straggler(long id, Straggler.Place place) {
        return new Straggler(TaskId.of(id), place);
    }

    private static StayingRange staying(RetentionReport report, String range) {
        Optional<StayingRange> found = report.staying().stream()
                .filter(staying -> staying.name().equals(range))
                .findFirst();
        assertThat(found).as("range %s in %s", range, report).isPresent();
        return found.orElseThrow();
    }
}
