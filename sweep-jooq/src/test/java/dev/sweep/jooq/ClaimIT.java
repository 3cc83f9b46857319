package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a claim takes and what it reads on the way, in rows and plans, never in milliseconds. */
class ClaimIT {

    private static final Duration LEASE = Duration.ofMinutes(5);
    private static StoreUnderTest test;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("claim");
    }

    @AfterAll
    static void drop() {
        test.close();
    }

    @BeforeEach
    void empty() {
        test.execute("truncate sweep.task, sweep.task_ready, sweep.task_running, sweep.task_lease, sweep.queue");
    }

    private static void seed(int tasks, String type) {
        test.execute("select count(*) from generate_series(1, " + tasks + ") n, "
                + "lateral (select sweep.enqueue_task('" + type + "', '{}', priority => 1 + n % 10)) e");
    }

    /** Afresh: whether floors engage depends on how fast this machine is. */
    private static ClaimRequest request(int room) {
        return new ClaimRequest("w", Set.of("t"), Map.of("default", room), 0, LEASE, true);
    }

    /** Someone's interrupted detach hides live tasks until it is undone; their entries must still be there then. */
    @Test
    void entriesWhoseTasksADetachHidesWaitForThem() throws SQLException {
        seed(3, "t");
        try (Connection reader = test.source.getConnection();
                Connection detacher = test.source.getConnection();
                Statement detach = detacher.createStatement()) {
            reader.setAutoCommit(false);
            try (Statement read = reader.createStatement()) {
                read.execute(test.inSchema("select count(*) from sweep.task"));
            }
            detach.execute("set statement_timeout = '200ms'");
            assertThatThrownBy(() -> detach.execute(
                            test.inSchema("alter table sweep.task detach partition sweep.task_all concurrently")))
                    .hasMessageContaining("timeout");
            detach.execute("reset statement_timeout");
            reader.rollback();
        }

        Claim hidden = claimOf(3);
        assertThat(hidden.tasks()).isEmpty();
        assertThat(hidden.orphans()).isEmpty();
        assertThat(hidden.nextDueIn()).as("others may stand behind them").contains(Duration.ZERO);
        assertThat(test.count("sweep.task_ready where moved and due_at > now()"))
                .isEqualTo(3);
        assertThat(test.count("sweep.task_running")).isZero();

        test.execute("alter table sweep.task detach partition sweep.task_all finalize");
        test.execute("alter table sweep.task attach partition sweep.task_all for values from (minvalue) to (maxvalue)");
        test.execute("update sweep.task_ready set due_at = now() - interval '1 second'");
        assertThat(claimOf(3).tasks()).hasSize(3);
    }

    /** What goes wrong with an entry that has no task must not cost the tasks that came with it. */
    @Test
    void aClaimStandsAlsoIfAnOrphanCannotBeSetAside() {
        seed(3, "t");
        test.execute("delete from sweep.task where priority = 2");
        test.execute("alter function sweep.tasks_are_hidden() rename to tasks_were_hidden");
        try {
            Claim claim = claimOf(3);
            assertThat(claim.tasks()).hasSize(2);
            assertThat(claim.orphans()).isEmpty();
            assertThat(test.count("sweep.task_running"))
                    .as("with its lease it lapses")
                    .isEqualTo(3);
        } finally {
            test.execute("alter function sweep.tasks_were_hidden() rename to tasks_are_hidden");
        }
    }

    private static Claim claimOf(int room) {
        try (JooqTaskStore store =
                JooqTaskStore.builder(test.source).schema(test.schema).build()) {
            return store.claim(request(room));
        }
    }

    /** Case B13: no plan may run the locking subquery twice. */
    @Test
    void takesNoMoreThanItsRoomWhateverThePlannerIsLeftWith() throws SQLException {
        seed(300, "t");
        TaskStatements statements = new TaskStatements(new SchemaName(test.schema));
        List<String> settings = List.of(
                "set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off;"
                        + " set enable_hashagg = off; set enable_sort = off",
                "set enable_nestloop = off; set enable_indexscan = off; set enable_tidscan = off",
                "set plan_cache_mode = force_generic_plan",
                SessionSettings.forClaims().forSession());
        for (String setting : settings) {
            for (String before : List.of("", "analyze " + test.inSchema("sweep.task_ready"))) {
                try (Connection connection = test.server.dataSource().getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    statement.execute(setting);
                    statement.execute(before);
                    assertThat(claimWith(connection, statements, 10)).hasSize(10);
                    connection.rollback();
                }
            }
        }
    }

    private static List<Long> claimWith(Connection connection, TaskStatements statements, int room)
            throws SQLException {
        try (PreparedStatement claim = connection.prepareStatement(statements.claim())) {
            List<Long> ids = new ArrayList<>();
            try (ResultSet rows = bound(claim, room).executeQuery()) {
                while (rows.next()) {
                    if (rows.getObject("id") != null) {
                        ids.add(rows.getLong("id"));
                    }
                }
            }
            return ids;
        }
    }

    private static PreparedStatement bound(PreparedStatement claim, int room) throws SQLException {
        SqlArrays.into(claim)
                .texts(List.of("default"))
                .ints(List.of(room), Function.identity())
                .ints(List.of(room), Function.identity())
                .scalar(0)
                .instants(Collections.nCopies(10, Instant.EPOCH), Function.identity())
                .texts(List.of("t"))
                .texts(List.of("default"))
                .texts(List.of("t"))
                .scalar(0)
                .scalar("w")
                .scalar(1_000_000L)
                .texts(List.of("default"));
        return claim;
    }

    @Test
    void keepsTheOneGoodPlanThatWasMadeOnAnEmptyTable() throws SQLException {
        TaskStatements statements = new TaskStatements(new SchemaName(test.schema));
        try (Connection connection = test.server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(SessionSettings.forClaims().forSession());
            statement.execute("prepare claim as " + numbered(statements.claim()));
            for (int i = 0; i < 8; i++) {
                statement.execute(EXECUTE_CLAIM);
            }
            seed(20_000, "t");
            String plan = explained(statement, "explain (analyze, buffers, timing off, costs off) " + EXECUTE_CLAIM);
            assertThat(plan).contains("task_ready_pkey").contains("Tid Scan on task_ready");
            assertThat(plan)
                    .doesNotContain("Seq Scan on task_ready")
                    .doesNotContain("Seq Scan on task_all")
                    .doesNotContain("Hash Join")
                    .doesNotContain("Merge Join");
            assertThat(buffers(plan))
                    .as("buffers that one claim of 10 among 20,000 touches")
                    .isBetween(10, 500);
        }
    }

    private static final String EXECUTE_CLAIM =
            "execute claim ('{default}', '{10}', '{10}', 0, array_fill('epoch'::timestamptz, '{10}'),"
                    + " '{t}', '{default}', '{t}', 0, 'w', 1000000, '{default}')";

    /** Question marks as PREPARE wants them. */
    private static String numbered(String sql) {
        AtomicInteger parameter = new AtomicInteger();
        return Pattern.compile("\\?").matcher(sql).replaceAll(mark -> "\\$" + parameter.incrementAndGet());
    }

    private static String explained(Statement statement, String explain) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (ResultSet rows = statement.executeQuery(explain)) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }

    /** Of the topmost node, which counts those below it. */
    private static int buffers(String plan) {
        Matcher found = Pattern.compile("Buffers: shared hit=(\\d+)").matcher(plan);
        assertThat(found.find()).as(plan).isTrue();
        return Integer.parseInt(found.group(1));
    }

    @Test
    void removesAndTellsEntriesWithoutATask() {
        seed(3, "t");
        test.execute("insert into sweep.task_ready (queue, rank, due_at, id, type)"
                + " values ('default', 0, now() - interval '1 hour', 4711, 't')");
        Claim claim = test.store.claim(request(10));
        assertThat(claim.tasks()).hasSize(3);
        assertThat(claim.orphans()).extracting(dev.sweep.TaskId::value).containsExactly(4711L);
        assertThat(test.count("sweep.task_ready")).isZero();
        assertThat(test.count("sweep.task_running")).isEqualTo(3);
        assertThat(test.store.claim(request(10)).orphans()).isEmpty();
    }

    @Test
    void doesNotWaitForRowsThatOthersHold() throws SQLException {
        seed(20, "t");
        try (Connection other = test.source.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(
                    test.inSchema("select from sweep.task_ready order by rank, due_at, id limit 15 for update"));
            Claim claim = test.store.claim(request(20));
            other.rollback();
            assertThat(claim.tasks()).hasSize(5);
        }
        assertThat(test.store.claim(request(20)).tasks()).hasSize(15);
    }

    /** Case B16: what nobody here can run stays as it is, and does not hide what can be run behind it. */
    @Test
    void passesOverTypesThatItHasNoHandlerFor() {
        seed(1000, "foreign");
        seed(10, "t");
        List<ClaimedTask> claimed = test.store.claim(request(10)).tasks();
        assertThat(claimed).hasSize(10).allMatch(task -> task.type().equals("t"));
        assertThat(test.count("sweep.task_ready where type = 'foreign' and retries = 0"))
                .isEqualTo(1000);
    }

    @Test
    void findsATaskThatIsDueBeforeAllThatWereClaimed() {
        seed(50, "t");
        assertThat(test.store.claim(request(20)).tasks()).hasSize(20);
        test.execute(
                "select sweep.enqueue_task('t', '{\"late\": 1}', priority => 10, due_at => '2001-01-01T00:00:00Z')");
        List<ClaimedTask> next = test.store.claim(request(5)).tasks();
        assertThat(next.get(0).payload()).contains("late");
    }
}
