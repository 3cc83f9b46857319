package dev.sweep.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Enqueued;
import dev.sweep.InvalidConfigurationException;
import dev.sweep.SchemaException;
import dev.sweep.StoreException;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions on, ahead and off, on the newest PostgreSQL and on the oldest. */
class PartitionManagerIT {

    private static final TaskType<String> NOTE = TaskType.of("note", String.class);

    Installation database = newInstallation();

    Installation newInstallation() {
        return Installation.fresh();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anEmptyInstallationHasPartitionsFromThePresentWeekOn() {
        database.partitions().enable(CalendarPeriod.WEEK);

        PartitionState state = database.partitions().state();
        PartitionRange present = CalendarPeriod.WEEK.rangeOf(databaseNow());
        assertThat(state.period()).contains("week");
        assertThat(state.isConverting()).isFalse();
        assertThat(state.runway()).hasValue(4);
        assertThat(state.partitions()).hasSize(6);
        assertThat(state.partitions().get(0).to()).contains(present.from());
        assertThat(state.partitions().get(1))
                .isEqualTo(new PartitionState.Partition(
                        present.name(), Optional.of(present.from()), Optional.of(present.to()), true));
        assertThat(database.leaves("task_outcome")).hasSize(6);
        assertThat(database.leaves("task_failure")).hasSize(6);
        Enqueued task = database.sweep.enqueue(NOTE.with("a"));
        assertThat(database.query("select id from sweep.task_" + present.name()))
                .containsExactly(task.id().value());
    }

    @Test
    void aNewLeafHasTheKeyTheChecksAndTheIndexesOfThePlainOne() {
        database.partitions().enable(CalendarPeriod.DAY);

        String fresh = CalendarPeriod.DAY.rangeOf(databaseNow()).name();
        for (PartitionTable table : PartitionTable.values()) {
            assertThat(definitions(table.leaf(fresh), fresh)).isEqualTo(definitions(table.leaf("all"), "all"));
        }
    }

    private List<Object> definitions(String leaf, String range) {
        return database.query("select regexp_replace(x.definition, '_" + range + "', '', 'g') from ("
                + "select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = '"
                + database.inSchema("sweep." + leaf) + "'::regclass"
                + " union all select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON', 'ON') from pg_index"
                + " where indrelid = '" + database.inSchema("sweep." + leaf) + "'::regclass) x order by 1");
    }

    /** It was dropped while the clock was ahead; what it will hold has not been taken off the totals. */
    @Test
    void aRangeThatIsMadeAnewIsNoLongerOneThatWasDropped() {
        String dropped = CalendarPeriod.DAY.rangeOf(databaseNow()).name();
        database.execute(
                "insert into sweep.partition_retired (name, lower_at, upper_at, stage, tasks) values ('" + dropped
                        + "', '-infinity', 'infinity', 'dropped', 7), ('another', '-infinity', 'infinity', 'dropped', 7)");

        database.partitions().enable(CalendarPeriod.DAY);

        assertThat(database.query("select name from sweep.partition_retired")).containsExactly("another");
    }

    /** The clock was ahead: a range of the time to come was retired and kept. In whole, or what the owner left of it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "task_failure", "task task_failure task_outcome"})
    void aKeptRangeThatIsNeededAgainComesBackWithWhatItHoldsAndCountsOnce(String droppedByTheOwner) {
        PartitionRange present = CalendarPeriod.WEEK.rangeOf(databaseNow());
        OldWeeks weeks = new OldWeeks(database, databaseNow());
        weeks.succeeded(present.from(), "a");
        database.execute(
                "insert into sweep.partition_retired (name, lower_at, upper_at, stage, tasks) values ('"
                        + present.name() + "', '-infinity', 'infinity', 'kept', 1)",
                "insert into sweep.stat_delta (status, tasks, run_micros) values ('succeeded', -1, -1000000)");
        for (PartitionTable table : PartitionTable.ALL) {
            database.execute(
                    "alter table sweep." + table.parent() + " detach partition sweep." + table.leaf(present.name()));
        }
        List<String> gone = List.of(droppedByTheOwner.split(" ", -1));
        PartitionTable.ALL.stream()
                .filter(table -> gone.contains(table.parent()))
                .forEach(table -> database.execute("drop table sweep." + table.leaf(present.name())));
        assertThatThrownBy(() -> database.sweep.enqueue(NOTE.with("a"))).isInstanceOf(StoreException.class);

        database.partitions().createAhead();

        assertThat(database.sweep.enqueue(NOTE.with("a")).isNew()).isTrue();
        assertThat(database.partitions().state().runway()).hasValue(4);
        long held = gone.contains("task_outcome") ? 0 : 1;
        assertThat(database.count("sweep.task_outcome")).isEqualTo(held);
        assertThat(weeks.counted("succeeded")).isEqualTo(held);
        assertThat(database.count("sweep.partition_retired")).isZero();
    }

    @Test
    void aTableInTheWayOfOneRangeIsNamedAndKeepsNoOtherFromComing() {
        database.partitions().enable(CalendarPeriod.WEEK);
        PartitionRange next = CalendarPeriod.WEEK.after(CalendarPeriod.WEEK.rangeOf(databaseNow()));
        PartitionRange later = CalendarPeriod.WEEK.after(next);
        for (PartitionTable table : PartitionTable.ALL) {
            database.execute(
                    "alter table sweep." + table.parent() + " detach partition sweep." + table.leaf(next.name()),
                    "drop table sweep." + table.leaf(later.name()));
        }

        assertThatThrownBy(() -> database.partitions().createAhead())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("[task_" + next.name() + "]")
                .hasMessageContaining("run sweep partitions retire");

        assertThat(database.leaves("task")).contains("task_" + later.name()).doesNotContain("task_" + next.name());
    }

    @Test
    void anInstallationWithTasksKeepsThemInTheFirstPartition() {
        List<Enqueued> before = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            before.add(database.sweep.enqueue(NOTE.with("n" + n).dedupKey("k" + n)));
        }

        List<String> done = database.partitions().enable(CalendarPeriod.WEEK);

        Instant bound = CalendarPeriod.WEEK
                .after(CalendarPeriod.WEEK.rangeOf(databaseNow()))
                .to();
        assertThat(database.partitions().state().partitions().get(0))
                .isEqualTo(new PartitionState.Partition("all", Optional.empty(), Optional.of(bound), true));
        assertThat(database.partitions().state().runway()).hasValue(4);
        assertThat(done).isNotEmpty();
        assertThat(database.partitions().enable(CalendarPeriod.WEEK)).isEmpty();
        assertThat(database.count("sweep.task_all")).isEqualTo(10);
        for (int n = 0; n < 10; n++) {
            assertThat(database.sweep.find(before.get(n).id())).isPresent();
            assertThat(database.sweep
                            .enqueue(NOTE.with("again").dedupKey("k" + n))
                            .id())
                    .isEqualTo(before.get(n).id());
        }
        assertThat(database.sweep.cancel(before.get(3).id())).contains(TaskStatus.CANCELLED);
        assertThat(database.query("select conname::text from pg_constraint where conname like 'sweep_first_bound'"
                        + " and connamespace = '\"" + database.schema + "\"'::regnamespace"))
                .isEmpty();
    }

    @Test
    void whatWouldBeDoneIsToldWithItsSqlAndChangesNothing() {
        database.sweep.enqueue(NOTE.with("a"));

        List<PartitionManager.PlannedStep> planned = database.partitions().planToEnable(CalendarPeriod.MONTH);

        assertThat(planned.stream().filter(PartitionManager.PlannedStep::isScan))
                .hasSize(3);
        assertThat(String.join(
                        "\n",
                        planned.stream().flatMap(step -> step.sql().stream()).toList()))
                .contains(
                        "not valid",
                        "validate constraint",
                        "access exclusive mode",
                        "detach partition",
                        "attach partition");
        assertThat(database.partitions().state().period()).isEmpty();
        assertThat(database.leaves("task")).containsExactly("task_all");
        planned.forEach(step -> database.execute("begin; " + String.join("; ", step.sql()) + "; commit"));
        assertThat(database.partitions().enable(CalendarPeriod.MONTH))
                .as("left to do after the told steps were typed")
                .isEmpty();
    }

    @Test
    void offGivesOneLastLeafWithoutEndAndOnMayFollow() {
        PartitionManager partitions = database.partitions();
        partitions.enable(CalendarPeriod.WEEK);
        database.sweep.enqueue(NOTE.with("a"));

        assertThat(partitions.planToDisable()).hasSize(1);
        partitions.disable();

        assertThat(partitions.state().period()).isEmpty();
        assertThat(partitions.state().runway()).isEmpty();
        assertThat(partitions.createAhead()).isEmpty();
        List<PartitionState.Partition> all = partitions.state().partitions();
        assertThat(all.get(all.size() - 1).to()).isEmpty();
        assertThat(partitions.disable()).isEmpty();

        partitions.enable(CalendarPeriod.DAY);
        assertThat(partitions.state().period()).contains("day");
        assertThat(partitions.state().runway().orElseThrow()).isGreaterThanOrEqualTo(4);
        assertThat(database.sweep.enqueue(NOTE.with("b")).isNew()).isTrue();
    }

    @Test
    void aLeafWithoutEndThatHasABeginIsBoundedWithoutALookAtItsRowsUnderTheLock() {
        PartitionManager longAgo = PartitionManager.builder(database.store)
                .clock(sql -> Instant.parse("2021-06-01T00:00:00Z"))
                .build();
        longAgo.enable(CalendarPeriod.WEEK);
        longAgo.disable();
        database.sweep.enqueue(NOTE.with("a"));

        database.partitions().enable(CalendarPeriod.WEEK);

        assertThat(database.partitions().state().partitions().stream()
                        .map(PartitionState.Partition::name)
                        .filter(name -> name.startsWith("from_")))
                .containsExactly("from_2021w27");
        assertThat(database.partitions().state().runway()).hasValue(4);
    }

    @Test
    void anotherPeriodIsRefusedWhileOneIsOn() {
        database.partitions().enable(CalendarPeriod.WEEK);

        assertThatThrownBy(() -> database.partitions().enable(CalendarPeriod.DAY))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("by week already, not by day")
                .hasMessageContaining("sweep partitions off");
    }

    @Test
    void withoutAPartitionForThePresentAnEnqueueSaysWhatToDo() {
        PartitionManager longAgo = PartitionManager.builder(database.store)
                .clock(sql -> Instant.parse("2021-06-01T00:00:00Z"))
                .build();
        longAgo.enable(CalendarPeriod.WEEK);

        assertThatThrownBy(() -> database.sweep.enqueue(NOTE.with("a")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no partition holds the present time")
                .hasMessageContaining("sweep partitions ahead");
        assertThat(database.partitions().state().runway()).hasValue(-1);

        database.partitions().createAhead();

        assertThat(database.partitions().state().runway()).hasValue(4);
        assertThat(database.sweep.enqueue(NOTE.with("a")).isNew()).isTrue();
    }

    @Test
    void aConversionThatWasInterruptedForTooLongTakesALaterBound() {
        database.sweep.enqueue(NOTE.with("a"));
        Instant longAgo = Instant.parse("2021-06-01T00:00:00Z");
        PartitionManager then =
                PartitionManager.builder(database.store).clock(sql -> longAgo).build();
        List<String> first = then.planToEnable(CalendarPeriod.WEEK).get(0).sql();
        first.forEach(database::execute);
        database.execute(
                "alter table sweep.task_all add constraint sweep_first_bound check (created_at < now() + '1 minute') not valid");

        database.partitions().createAhead();

        assertThat(database.partitions().state().isConverting()).isTrue();
        assertThat(database.query("select 1 from pg_constraint where conname = 'sweep_first_bound' and conrelid = '"
                        + database.inSchema("sweep.task_all") + "'::regclass"))
                .as("a constraint that would soon refuse every new task")
                .isEmpty();
        database.partitions().care();
        assertThat(database.partitions().state().isConverting()).isFalse();
        assertThat(database.partitions().state().runway()).hasValue(4);
    }

    /** Each start of sixteen finds nothing ahead; all of them must come up. */
    @Test
    void sixteenAtOnceCreateEachPartitionOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (Installation fresh = newInstallation()) {
                CyclicBarrier barrier = new CyclicBarrier(16);
                atOnce(16, () -> {
                    PartitionManager partitions = fresh.partitions();
                    barrier.await();
                    return partitions.enable(CalendarPeriod.WEEK);
                });
                assertThat(fresh.partitions().state().runway()).hasValue(4);
                assertThat(fresh.leaves("task")).hasSize(6);
                assertThat(fresh.leaves("task_outcome")).hasSize(6);
            }
        }
    }

    private static <T> void atOnce(int count, Callable<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            for (Future<T> each : threads.invokeAll(java.util.Collections.nCopies(count, call))) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aYearOfWeeksLeavesNoGap() {
        Instant[] now = {Instant.parse("2026-10-01T00:00:00Z")};
        PartitionManager partitions =
                PartitionManager.builder(database.store).clock(sql -> now[0]).build();
        partitions.enable(CalendarPeriod.WEEK);
        // Not every week, and once after a sleep of two months.
        for (int days : new int[] {3, 7, 9, 20, 27, 5, 62, 14, 28, 28, 1, 30, 60, 40, 55}) {
            now[0] = now[0].plus(Duration.ofDays(days));
            partitions.createAhead();
            assertThat(partitions.state().runway()).hasValue(4);
        }
        assertThat(now[0]).isAfter(Instant.parse("2027-10-01T00:00:00Z"));
        assertThat(database.leaves("task")).contains("task_2026w53", "task_2027w01", "task_2027w13");
    }

    private Instant databaseNow() {
        return ((java.sql.Timestamp) database.query("select clock_timestamp()").get(0)).toInstant();
    }
}
