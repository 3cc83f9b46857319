package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.DuplicateTaskException;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.OnDuplicate;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.TransactionConflictException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EnqueueIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static StoreUnderTest test;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("enqueue");
        test.execute("create table sweep.business (id int)");
    }

    @AfterAll
    static void drop() {
        test.close();
    }

    @BeforeEach
    void empty() {
        test.execute("truncate sweep.task, sweep.task_ready, sweep.task_key, sweep.task_outcome, sweep.business");
    }

    private static NewTask<Json> task() {
        return TYPE.with(Json.of("{\"a\": 1}"));
    }

    @Nested
    class InTheCallersTransaction {

        @Test
        void aTaskExistsIfAndOnlyIfTheTransactionCommits() throws SQLException {
            try (Connection tx = transaction()) {
                TaskId rolledBack = test.sweep.enqueue(tx, task()).id();
                tx.rollback();
                TaskId committed = test.sweep.enqueue(tx, task()).id();
                assertThat(test.sweep.find(committed)).as("before the commit").isEmpty();
                tx.commit();
                assertThat(test.sweep.find(rolledBack)).isEmpty();
                assertThat(test.sweep.find(committed)).isPresent();
            }
        }

        @Test
        void aRefusedDuplicateLeavesTheTransactionUsable() throws SQLException {
            TaskId owner = test.sweep.enqueue(task().dedupKey("k")).id();
            try (Connection tx = transaction();
                    Statement statement = tx.createStatement()) {
                statement.execute(test.inSchema("insert into sweep.business values (1)"));
                List<NewTask<Json>> tasks = List.of(task(), task().dedupKey("k").onDuplicate(OnDuplicate.FAIL), task());
                assertThatThrownBy(() -> test.sweep.enqueueAll(tx, tasks))
                        .isInstanceOfSatisfying(DuplicateTaskException.class, e -> {
                            assertThat(e.owner()).isEqualTo(owner);
                            assertThat(e.dedupKey()).isEqualTo("k");
                        });
                statement.execute(test.inSchema("insert into sweep.business values (2)"));
                tx.commit();
            }
            assertThat(test.count("sweep.business")).isEqualTo(2);
            assertThat(test.count("sweep.tasks"))
                    .as("nothing of the refused call")
                    .isEqualTo(1);
        }

        @Test
        void aJooqTransactionCountsAsOne() {
            var dsl = DSL.using(test.source, SQLDialect.POSTGRES);
            assertThatThrownBy(() -> dsl.transaction(tx -> {
                        SweepJooq.enqueue(test.sweep, tx, task());
                        SweepJooq.enqueueAll(test.sweep, tx.dsl(), List.of(task(), task()));
                        throw new IllegalStateException("rolled back");
                    }))
                    .hasMessageContaining("rolled back");
            assertThat(test.count("sweep.tasks")).isZero();
            dsl.transaction(tx -> {
                SweepJooq.enqueue(test.sweep, tx, task());
                SweepJooq.enqueueAll(test.sweep, tx, List.of(task(), task()));
            });
            assertThat(test.count("sweep.tasks")).isEqualTo(3);
        }

        /** Case B07: never "duplicate" on the strength of an insert that is then rolled back. */
        @Test
        void whoWaitsForAnotherTransactionsKeyGetsTheTruthAboutIt() throws Exception {
            for (boolean commits : new boolean[] {true, false}) {
                String key = "race-" + commits;
                ExecutorService threads = Executors.newFixedThreadPool(4);
                try (Connection first = transaction()) {
                    TaskId ofFirst =
                            test.sweep.enqueue(first, task().dedupKey(key)).id();
                    List<Future<Enqueued>> waiting = IntStream.range(0, 4)
                            .mapToObj(i -> threads.submit(() -> test.sweep.enqueue(task().dedupKey(key))))
                            .toList();
                    awaitWaiters(4);
                    if (commits) {
                        first.commit();
                    } else {
                        first.rollback();
                    }
                    List<Enqueued> answers = new ArrayList<>();
                    for (Future<Enqueued> answer : waiting) {
                        answers.add(answer.get(20, TimeUnit.SECONDS));
                    }
                    assertThat(answers)
                            .extracting(Enqueued::id)
                            .containsOnly(answers.get(0).id());
                    assertThat(answers).filteredOn(Enqueued::isNew).hasSize(commits ? 0 : 1);
                    assertThat(answers.get(0).id().equals(ofFirst)).isEqualTo(commits);
                    assertThat(test.sweep.find(answers.get(0).id())).isPresent();
                } finally {
                    threads.shutdownNow();
                }
            }
        }

        /** Case B09, second part: one key per statement in opposite order is the callers' own deadlock. */
        @Test
        void aDeadlockOfKeyByKeyEnqueuesReachesTheCallerAsRetryable() throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try (Connection a = transaction();
                    Connection b = transaction()) {
                test.sweep.enqueue(a, task().dedupKey("x"));
                test.sweep.enqueue(b, task().dedupKey("y"));
                Future<Throwable> ofA = threads.submit(() -> failureOf(a, "y"));
                awaitWaiters(1);
                Future<Throwable> ofB = threads.submit(() -> failureOf(b, "x"));
                List<Throwable> failures = new ArrayList<>();
                failures.add(ofA.get(30, TimeUnit.SECONDS));
                failures.add(ofB.get(30, TimeUnit.SECONDS));
                failures.removeIf(Objects::isNull);
                assertThat(failures).hasSize(1).first().isInstanceOf(TransactionConflictException.class);
            } finally {
                threads.shutdownNow();
            }
            assertThat(test.count("sweep.task")).isEqualTo(2);
            assertThat(test.count("sweep.task_key")).isEqualTo(2);
        }

        private static Throwable failureOf(Connection tx, String key) throws SQLException {
            try {
                test.sweep.enqueue(tx, task().dedupKey(key));
                tx.commit();
                return null;
            } catch (SQLException | RuntimeException e) {
                tx.rollback();
                return e;
            }
        }
    }

    @Nested
    class InBulk {

        @Test
        void manyThousandKeyedTasksComeBackInInputOrder() {
            List<NewTask<Json>> tasks = new ArrayList<>(IntStream.range(0, 3500)
                    .mapToObj(i -> task().dedupKey("bulk-" + i % 3000))
                    .toList());
            Collections.shuffle(tasks, new java.util.Random(7));
            List<Enqueued> answers = test.sweep.enqueueAll(tasks);
            assertThat(answers).filteredOn(Enqueued::isNew).hasSize(3000);
            for (int i = 0; i < tasks.size(); i++) {
                String key = tasks.get(i).dedupKey().orElseThrow().value();
                assertThat(test.sweep.find(answers.get(i).id()).orElseThrow().dedupKey())
                        .contains(key);
                i += 250;
            }
        }

        @Test
        void largePayloadsAreCutIntoSmallerSets() {
            String large = "\"" + "x".repeat(900_000) + "\"";
            List<Enqueued> answers = test.sweep.enqueueAll(IntStream.range(0, 40)
                    .mapToObj(i -> TYPE.with(Json.of(large)).dedupKey("large-" + (39 - i)))
                    .toList());
            assertThat(answers).hasSize(40).allMatch(Enqueued::isNew);
            for (int i : new int[] {0, 8, 9, 39}) {
                assertThat(test.sweep.find(answers.get(i).id()).orElseThrow().dedupKey())
                        .contains("large-" + (39 - i));
            }
        }

        @Test
        void aFaultInOneSetUndoesAllSetsOfTheCall() {
            test.sweep.enqueue(task().dedupKey("zz-taken"));
            List<NewTask<Json>> tasks = new ArrayList<>(IntStream.range(0, 2500)
                    .mapToObj(i -> task().dedupKey("set-" + i))
                    .toList());
            tasks.add(task().dedupKey("zz-taken").onDuplicate(OnDuplicate.FAIL));
            assertThatThrownBy(() -> test.sweep.enqueueAll(tasks)).isInstanceOf(DuplicateTaskException.class);
            assertThat(test.count("sweep.task")).isEqualTo(1);
            assertThat(test.count("sweep.task_key")).isEqualTo(1);
        }
    }

    @Nested
    class UnderOtherDefaults {

        /** Case B20: the database's default isolation is stricter. */
        @Test
        void racesOnOneKeyEndInOneTaskUnderStricterIsolation() throws Exception {
            for (String level : List.of("repeatable read", "serializable")) {
                test.execute("alter database \""
                        + test.query("select current_database()").get(0) + "\" set default_transaction_isolation = '"
                        + level + "'");
                ExecutorService threads = Executors.newFixedThreadPool(8);
                try (StoreUnderTest strict = StoreUnderTest.migrated("strict")) {
                    assertThat(strict.query("show default_transaction_isolation"))
                            .containsExactly(level);
                    // Alone, and together with a task that has no key.
                    List<Future<Enqueued>> racing = IntStream.range(0, 40)
                            .mapToObj(i -> threads.submit(() -> strict.sweep
                                    .enqueueAll(Stream.of(task().dedupKey("strict-" + i / 8), task())
                                            .limit(1 + i % 2)
                                            .toList())
                                    .get(0)))
                            .toList();
                    int created = 0;
                    for (Future<Enqueued> one : racing) {
                        created += one.get(30, TimeUnit.SECONDS).isNew() ? 1 : 0;
                    }
                    assertThat(created).isEqualTo(5);
                    assertThat(strict.count("sweep.task where dedup_key is not null"))
                            .isEqualTo(5);
                } finally {
                    threads.shutdownNow();
                    test.execute("alter database \""
                            + test.query("select current_database()").get(0)
                            + "\" reset default_transaction_isolation");
                }
            }
        }

        /** Case B88: neither the session's zone nor the JVM's moves an instant. */
        @Test
        void aDueTimeIsAnInstantWhateverTheTimeZone() throws SQLException {
            Instant inTheGap = Instant.parse("2027-03-14T07:30:00.123456Z");
            try (Connection newYork = transaction();
                    Statement statement = newYork.createStatement()) {
                statement.execute("set time zone 'America/New_York'");
                TaskId id = test.sweep.enqueue(newYork, task().dueAt(inTheGap)).id();
                newYork.commit();
                statement.execute("set time zone default");
                newYork.commit();
                assertThat(test.sweep.find(id).orElseThrow().dueAt()).isEqualTo(inTheGap);
            }
        }

        /** Case B87: PostgreSQL keeps microseconds and would round nanoseconds up, here into the next second. */
        @Test
        void nanosecondsAreCutNotRounded() {
            Instant dueAt = Instant.parse("2027-03-08T23:59:59.9999999Z");
            TaskId id = test.sweep.enqueue(task().dueAt(dueAt)).id();
            assertThat(test.sweep.find(id).orElseThrow().dueAt())
                    .isEqualTo(Instant.parse("2027-03-08T23:59:59.999999Z"));
        }

        /** Case B01: sequence values and ids far beyond 32 bits; the sequence wraps within its 22 bits. */
        @Test
        void idsGoOnWhenTheSequencePassesItsBits() {
            test.execute("select setval('" + test.quotedSchema().replace("'", "''") + ".task_seq', 2147483640)");
            List<Enqueued> answers = test.sweep.enqueueAll(
                    IntStream.range(0, 20).mapToObj(i -> task()).toList());
            assertThat(answers).extracting(Enqueued::id).doesNotHaveDuplicates();
            assertThat(test.count("sweep.task where id >> 22 = floor(extract(epoch from created_at)) - 1577836800"))
                    .isEqualTo(20);
        }
    }

    private static Connection transaction() throws SQLException {
        Connection connection = test.source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Until this many sessions of this database wait for a transaction to end. */
    private static void awaitWaiters(int number) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (test.count("pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
                < number) {
            assertThat(System.nanoTime())
                    .as("deadline for " + number + " waiters")
                    .isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
