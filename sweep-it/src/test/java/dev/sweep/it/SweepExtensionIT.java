package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.sweep.DedupKey;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.testing.PostgresServer;
import dev.sweep.testing.SweepExtension;
import dev.sweep.testing.TasksAssert;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The extension for users' tests, on PostgreSQL. */
class SweepExtensionIT {

    private static final TaskType<Json> MAIL = TaskType.json("mail");
    private static final Json EMPTY = Json.of("{}");
    private static final Duration DAY = Duration.ofDays(1);

    @RegisterExtension
    static final SweepExtension tasks = SweepExtension.onPostgres(SweepExtensionIT::store);

    private static JooqTaskStore store(DataSource source, String schema) {
        return JooqTaskStore.builder(source).schema(schema).build();
    }

    @Nested
    class EveryTest {

        @Test
        void beginsWithoutTasksAndPausedQueues() {
            leaveSomethingBehind();
        }

        @Test
        void beginsWithoutTasksAndPausedQueuesAgain() {
            leaveSomethingBehind();
        }

        private void leaveSomethingBehind() {
            tasks.assertThatTasks().nothingEnqueued();
            tasks.handle(MAIL, (payload, context) -> {});
            tasks.sweep().enqueue(MAIL.with(EMPTY).dedupKey("the same"));
            tasks.drain().hasRun(1);
            tasks.sweep().pauseQueue("default");
        }
    }

    @Nested
    class TimeThatPasses {

        @Test
        void makesDelayedTasksRetriesAndSnoozedOnesDue() {
            tasks.handleForOutcome(MAIL, (payload, context) -> {
                if (payload.text().contains("fails") && context.attempt() == 1) {
                    throw new IllegalStateException("the first time");
                }
                return payload.text().contains("waits") ? Outcome.snooze(DAY) : Outcome.complete();
            });
            tasks.sweep()
                    .enqueueAll(List.of(
                            MAIL.with(Json.of("{\"is\": \"delayed\"}")).delay(DAY),
                            MAIL.with(Json.of("{\"it\": \"fails\"}")),
                            MAIL.with(Json.of("{\"it\": \"waits\"}"))));

            tasks.drain().hasRun(2).hasFailures(1);
            tasks.drain().hasRun(0);
            tasks.advance(DAY).drain().hasRun(3).hasNoFailures();
            tasks.advance(DAY.minusMinutes(1)).drain().hasRun(0);
            tasks.advance(Duration.ofMinutes(1)).drain().hasRun(1);
        }

        @Test
        void keepsTheOrderOfWhatWaits() {
            Instant now = Instant.now();
            List<String> ran = new ArrayList<>();
            tasks.handle(MAIL, (payload, context) -> ran.add(payload.text()));
            tasks.sweep().enqueue(MAIL.with(Json.of("2")).dueAt(now.plus(DAY)));
            tasks.sweep().enqueue(MAIL.with(Json.of("1")).dueAt(now.minus(DAY)));

            tasks.advance(DAY.multipliedBy(3)).drain().hasRun(2);

            assertThat(ran).containsExactly("1", "2");
        }

        @Test
        void leavesTasksWhereACancelFindsThem() {
            TaskId waiting = tasks.sweep().enqueue(MAIL.with(EMPTY).delay(DAY)).id();
            tasks.sweep().enqueue(MAIL.with(EMPTY));
            claim(DAY);

            tasks.advance(Duration.ofHours(1));

            assertThat(tasks.sweep().cancel(waiting)).contains(TaskStatus.CANCELLED);
        }

        @Test
        void endsTheWindowsOfDedupKeys() {
            NewTask<Json> task = MAIL.with(EMPTY).dedupKey(DedupKey.of("k").window(DAY));
            tasks.sweep().enqueue(task);

            tasks.advance(DAY.minusMinutes(1));
            assertThat(tasks.sweep().enqueue(task).isNew()).isFalse();
            tasks.advance(Duration.ofMinutes(1));
            assertThat(tasks.sweep().enqueue(task).isNew()).isTrue();
        }

        @Test
        void letsLeasesLapse() {
            tasks.sweep().enqueue(MAIL.with(EMPTY));
            claim(DAY);

            assertThat(tasks.sweep().store().reclaim(Duration.ofMillis(1), 10).returned())
                    .isEmpty();
            tasks.advance(DAY);
            assertThat(tasks.sweep().store().reclaim(Duration.ofMillis(1), 10).returned())
                    .hasSize(1);
        }

        @Test
        void isNotSetButPassed() {
            assertThatThrownBy(tasks::time)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("advance(duration) moves due times");
        }

        private void claim(Duration lease) {
            tasks.sweep()
                    .store()
                    .claim(new ClaimRequest("w", Set.of(MAIL.name()), Map.of("default", 1), 1, lease, true));
        }
    }

    @Nested
    class ATransactionOfTheTest {

        @Test
        void isLookedIntoBeforeItsCommit() throws SQLException {
            try (Connection tx = tasks.dataSource().getConnection()) {
                tx.setAutoCommit(false);
                tasks.sweep()
                        .enqueue(
                                tx,
                                MAIL.with(Json.of("{\"to\": \"ada\"}"))
                                        .priority(7)
                                        .header("tenant", "a \"quoted\" one")
                                        .header("empty", "")
                                        .dedupKey("welcome:1")
                                        .delay(DAY));

                tasks.assertThatTasks(tx)
                        .enqueued(MAIL)
                        .single()
                        .hasPayload(Json.of("{\"to\":\"ada\"}"))
                        .hasPriority(7)
                        .hasHeader("tenant", "a \"quoted\" one")
                        .hasDedupKey("welcome:1")
                        .isDueIn(DAY);
                tasks.assertThatTasks().nothingEnqueued();
                tx.rollback();
                tasks.assertThatTasks(tx).nothingEnqueued();
            }
        }

        /** Every status, with whatever comes with it. */
        @Test
        void showsWhatSweepItselfShows() throws SQLException {
            tasks.handleForOutcome(MAIL, (payload, context) -> {
                if (payload.text().equals("1")) {
                    throw new IllegalStateException("broken");
                }
                return Outcome.complete(List.of(1.10, "two"));
            });
            for (String payload : List.of("1", "2", "3")) {
                tasks.sweep()
                        .enqueue(
                                MAIL.with(Json.of(payload)).header("h", payload).maxRetries(0));
                if (!payload.equals("3")) {
                    tasks.drain().failures();
                }
            }
            try (Connection connection = tasks.dataSource().getConnection()) {
                List<Task> read =
                        tasks.assertThatTasks(connection).enqueued(MAIL).tasks();

                assertThat(read)
                        .extracting(Task::status)
                        .containsExactly(TaskStatus.FAILED, TaskStatus.SUCCEEDED, TaskStatus.PENDING);
                assertThat(read)
                        .allSatisfy(task ->
                                assertThat(tasks.sweep().find(task.id())).contains(task));
            }
        }

        @Test
        void thatIsAbortedIsToldAsSuch() throws SQLException {
            try (Connection tx = tasks.dataSource().getConnection()) {
                tx.setAutoCommit(false);
                assertThatThrownBy(() -> tx.createStatement().execute("select 1/0"))
                        .isInstanceOf(SQLException.class);

                assertThatThrownBy(() -> TasksAssert.assertThatTasks(tasks.sweep(), tx, tasks.schema()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("can't be read through this connection")
                        .hasMessageContaining("aborted");
            }
        }
    }

    @Test
    void theSchemaIsGoneAfterTheLastTest() throws SQLException {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(OfItsOwn.class))
                .execute()
                .testEvents()
                .assertStatistics(tests -> tests.succeeded(1).failed(0));

        try (Connection connection = PostgresServer.shared().dataSource().getConnection()) {
            assertThat(connection
                            .getMetaData()
                            .getSchemas(null, OfItsOwn.schema)
                            .next())
                    .as("schema " + OfItsOwn.schema + " is there")
                    .isFalse();
        }
    }

    static final class OfItsOwn {

        private static String schema = "";

        @RegisterExtension
        static final SweepExtension own =
                SweepExtension.on(() -> PostgresServer.shared().dataSource(), SweepExtensionIT::store);

        @Test
        void hasASchema(Sweep sweep) {
            schema = own.schema();
            assertThat(schema).startsWith("sweep_ofitsown_").isNotEqualTo(tasks.schema());
            sweep.enqueue(MAIL.with(EMPTY));
        }
    }
}
