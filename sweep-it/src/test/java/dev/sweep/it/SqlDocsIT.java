package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds docs/sql.md against the database: all its SQL runs, in its order, and what it promises is so. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlDocsIT {

    private static final DocPage PAGE = DocPage.read("docs/sql.md");
    private static final List<String> BLOCKS = PAGE.blocks("sql");

    private final ScratchDatabase database;
    private final Connection connection;

    SqlDocsIT() throws SQLException {
        database = ScratchDatabase.create(PostgresServer.shared(), "sql docs");
        try (JooqTaskStore store = JooqTaskStore.builder(database.dataSource()).build()) {
            store.migrate();
        }
        connection = database.dataSource().getConnection();
    }

    @BeforeAll
    void runTheWholePage() throws SQLException {
        assertThat(BLOCKS).hasSizeGreaterThan(10);
        for (String block : BLOCKS) {
            if (block.contains("create role")) {
                runUndone(block);
            } else {
                run(block);
            }
        }
    }

    @AfterAll
    void dropDatabase() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void enqueueingAgainGivesTheSameId() throws SQLException {
        String enqueue = BLOCKS.get(0);

        assertThat(one(enqueue)).isEqualTo(one(enqueue));
        assertThat(one("select count(*) from sweep.tasks where dedup_key = 'welcome:42'"))
                .isEqualTo("1");
    }

    @Test
    void namedParametersReachTheirColumns() throws SQLException {
        assertThat(rows("select priority, due_at > created_at + interval '1 hour' from sweep.tasks"
                        + " where type = 'report.monthly'"))
                .containsExactly(List.of("7", "t"));
        assertThat(rows("select queue, max_retries from sweep.tasks where type = 'mail.digest' and queue = 'mail'"))
                .containsExactly(List.of("mail", "0"));
    }

    @Test
    void everyCustomerGetsOneTask() throws SQLException {
        assertThat(one("select count(distinct payload) from sweep.tasks where type = 'mail.news'"))
                .isEqualTo("100");
    }

    @Test
    void triggerEnqueuesInTheTransactionOfTheUpdate() throws SQLException {
        assertThat(one("select payload ->> 'customerId' from sweep.tasks where type = 'search.index'"))
                .isEqualTo("43");

        connection.setAutoCommit(false);
        run("update customer set email = 'nobody@example.org' where id = 43");
        connection.rollback();
        connection.setAutoCommit(true);

        assertThat(one("select count(*) from sweep.tasks where type = 'search.index'"))
                .isEqualTo("1");
    }

    @Test
    void cancelAnswersWithTheStatusOfNow() throws SQLException {
        assertThat(one(blockWith("sweep.cancel_task"))).isEqualTo("cancelled");
        assertThat(one("select sweep.cancel_task(1)")).isNull();
    }

    @Test
    void changesByHandAnswerAsThePageSays() throws SQLException {
        assertThat(rows("select sweep.requeue_task(id) is not null from sweep.tasks where status = 'cancelled'"))
                .isNotEmpty()
                .containsOnly(List.of("t"));
        assertThat(one("select sweep.requeue_task(1)")).isNull();
        assertThat(one("select sweep.reprioritise_task(1, 1)")).isNull();
        assertThat(one("select distinct priority from sweep.tasks where type = 'search.index'"))
                .isEqualTo("10");
        assertThat(one("select sweep.pause_queue('q') and not sweep.pause_queue('q') and sweep.resume_queue('q')"
                        + " and not sweep.resume_queue('q')"))
                .isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SW002 | select sweep.requeue_task(id) from sweep.tasks_waiting limit 1
            22023 | select sweep.reprioritise_task(id, 11) from sweep.tasks_waiting limit 1
            22023 | select sweep.reprioritise_task(id, null) from sweep.tasks_waiting limit 1
            22023 | select sweep.reschedule_task(id, null) from sweep.tasks_waiting limit 1
            22023 | select sweep.reschedule_task(id, '2300-01-01') from sweep.tasks_waiting limit 1
            22023 | select sweep.pause_queue(' ')
            22023 | select sweep.pause_queue(null)
            """)
    void badChangeIsRefused(String state, String sql) {
        assertThatThrownBy(() -> run(sql))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
    }

    /** Functions that a caller runs with a search_path of an attacker's. */
    @Test
    void hostileSearchPathLeadsNobodyAstray() throws SQLException {
        run("create schema if not exists evil");
        run("create or replace function evil.clock_timestamp() returns timestamptz language sql"
                + " as 'select null::timestamptz'");
        run("create table if not exists evil.task_ready (id int)");
        run("set search_path = evil, pg_catalog");
        try {
            String id = one("select sweep.enqueue_task('hostile', '{}')");
            assertThat(one("select sweep.reprioritise_task(" + id + ", 3)")).isEqualTo("pending");
            assertThat(one("select sweep.reschedule_task(" + id + ", '2100-01-01Z')"))
                    .isEqualTo("pending");
            assertThat(one("select sweep.cancel_task(" + id + ")")).isEqualTo("cancelled");
            assertThat(one("select sweep.requeue_task(" + id + ")")).isNotNull();
            assertThat(one("select sweep.delete_dead_letter(" + id + ")")).isNull();
            assertThat(one("select sweep.move_dead_letters(null, 10)")).isEqualTo("0");
            assertThat(one("select sweep.purge_dead_letters(now(), 10)")).isEqualTo("0");
            assertThat(one("select sweep.pause_queue('hostile') and sweep.resume_queue('hostile')"))
                    .isEqualTo("t");
        } finally {
            run("reset search_path");
            run("drop schema evil cascade");
        }
    }

    @Test
    void idsEmbedTheSecondOfTheirTask() throws SQLException {
        assertThat(rows(blockWith("as embedded"))).isNotEmpty().containsOnly(List.of("t"));
    }

    @Test
    void statsHaveOneRowPerStatus() throws SQLException {
        assertThat(rows(blockWith("sweep.task_stats")))
                .extracting(row -> row.get(0))
                .containsExactly("pending", "processing", "succeeded", "failed", "cancelled");
        assertThat(one("select count from sweep.task_stats where status = 'pending'"))
                .isEqualTo(one("select count(*) from sweep.tasks where status = 'pending'"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            22004 | select sweep.enqueue_task('t', null)
            22023 | select sweep.enqueue_task('t', '{}', priority => 11)
            22023 | select sweep.enqueue_task('t', '{}', max_retries => -1)
            22023 | select sweep.enqueue_task('t', '{}', due_at => '1999-12-31T23:59:59Z')
            22023 | select sweep.enqueue_task(' ', '{}')
            22023 | select sweep.enqueue_task(repeat('t', 201), '{}')
            22023 | select sweep.enqueue_task('t', '{}', queue => '')
            22023 | select sweep.enqueue_task('t', '{}', repeat('k', 1025))
            54000 | select sweep.enqueue_task('t', to_jsonb(repeat('x', 4194304)))
            22P02 | select sweep.enqueue_task('t', 'no json')
            22P05 | select sweep.enqueue_task('t', '"\\u0000"')
            23514 | insert into sweep.task (id, created_at, due_at, type, payload) values (1, now(), now(), 't', '{}')
            """)
    void badInputIsRefusedWithTheStateOfTheTable(String state, String sql) throws SQLException {
        String before = one("select count(*) from sweep.task");

        assertThatThrownBy(() -> run(sql))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));

        assertThat(one("select count(*) from sweep.task")).isEqualTo(before);
        assertThat(PAGE.section("### `enqueue_task`").text()).contains("`" + state + "`");
    }

    @Test
    void parametersAreDescribedInTheirOrder() throws SQLException {
        List<List<String>> described = PAGE.table("| parameter | type | default | meaning | bounds |");

        assertThat(described).extracting(row -> row.get(0) + " " + row.get(1)).containsExactlyElementsOf(column("""
                        select p.proargnames[n] || ' ' || replace(format_type(p.proargtypes[n - 1], null),
                               'timestamp with time zone', 'timestamptz')
                        from pg_proc p, generate_series(1, p.pronargs) n
                        where p.oid = 'sweep.enqueue_task'::regproc
                        order by n"""));
    }

    @ParameterizedTest
    @CsvSource({"tasks, '### `tasks`'", "task_failures, '### `task_failures`'", "task_stats, '### `task_stats`'"})
    void viewsAreDescribedColumnByColumn(String view, String heading) throws SQLException {
        assertThat(PAGE.section(heading).table("| column | type | meaning |"))
                .extracting(row -> row.get(0) + " " + row.get(1))
                .containsExactlyElementsOf(columnsOf(view));
    }

    @ParameterizedTest
    @CsvSource({"tasks_waiting, 1", "tasks_running, 2", "tasks_failed, 3"})
    void narrowViewsAreDescribedColumnByColumn(String view, int mark) throws SQLException {
        String header = "| column | `tasks_waiting` | `tasks_running` | `tasks_failed` | type |";
        Stream<String> described = PAGE.table(header).stream()
                .filter(row -> row.get(mark).equals("yes"))
                .map(row -> row.get(0) + " " + row.get(4));

        assertThat(described).containsExactlyInAnyOrderElementsOf(columnsOf(view));
    }

    private List<String> columnsOf(String view) throws SQLException {
        return column("""
                select a.attname || ' ' || replace(format_type(a.atttypid, null),
                       'timestamp with time zone', 'timestamptz')
                from pg_attribute a
                where a.attrelid = 'sweep.%s'::regclass and a.attnum > 0
                order by a.attnum""".formatted(view));
    }

    private static String blockWith(String text) {
        return BLOCKS.stream().filter(block -> block.contains(text)).findFirst().orElseThrow();
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Roles belong to the whole server, which others may use. The role tries what it was granted. */
    private void runUndone(String block) throws SQLException {
        connection.setAutoCommit(false);
        run(block);
        run("set local role shop");
        run("select sweep.enqueue_task('mail.welcome', '{}', 'welcome:shop')");
        run("select sweep.enqueue_task('mail.welcome', '{}', 'welcome:shop')");
        run("select status from sweep.tasks");
        connection.rollback();
        connection.setAutoCommit(true);
    }

    private String one(String sql) throws SQLException {
        return column(sql).get(0);
    }

    private List<String> column(String sql) throws SQLException {
        return rows(sql).stream().map(row -> row.get(0)).toList();
    }

    private List<List<String>> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<List<String>> all = new ArrayList<>();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i : IntStream.rangeClosed(1, rows.getMetaData().getColumnCount())
                        .toArray()) {
                    row.add(rows.getString(i));
                }
                all.add(row);
            }
            return all;
        }
    }
}
