package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that take partitions away and bring them back. */
@Timeout(120)
class PartitionsRetireIT {

    private static final PostgresServer SERVER = PostgresServer.shared();

    private final String schema = SERVER.newSchemaName("retire");

    @TempDir
    private Path folder;

    @BeforeEach
    void makeOldWeeks() throws SQLException {
        sweep("migrate");
        bound("task", "id");
        bound("task_failure", "id, lease");
        bound("task_outcome", "id");
        run(
                "insert into sweep.task (id, created_at, due_at, type, payload) select sweep.id_at(at, n), at, at, 't', '{}'"
                        + " from (values (1, '2021-01-01T00:00:00Z'::timestamptz), (2, '2021-01-05T00:00:00Z')) v(n, at)");
        run("insert into sweep.task_outcome (id, created_at, finished_at, retries, losses, status)"
                + " select id, created_at, created_at, 0, 0, 'succeeded' from sweep.task");
        run("delete from sweep.task_outcome where created_at > '2021-01-04T00:00:00Z'");
    }

    private void bound(String table, String key) throws SQLException {
        String parent = "sweep." + table;
        run("alter table " + parent + " detach partition " + parent + "_all");
        run("alter table " + parent + " attach partition " + parent
                + "_all for values from ('2021-01-11T00:00:00Z') to (maxvalue)");
        for (int week = 0; week < 2; week++) {
            String leaf = parent + (week == 0 ? "_2020w53" : "_2021w01");
            run("create table " + leaf + " (like " + parent + " including all, primary key (" + key + "))");
            run("alter table " + parent + " attach partition " + leaf + " for values from ('"
                    + (week == 0 ? "2020-12-28" : "2021-01-04") + "T00:00:00Z') to ('"
                    + (week == 0 ? "2021-01-04" : "2021-01-11") + "T00:00:00Z')");
        }
    }

    @AfterEach
    void dropSchema() {
        SERVER.dropSchema(schema);
    }

    @Test
    void finishedWeeksGoToAFolderAndComeBackWhileStragglersAreNamed() throws IOException {
        assertThat(sweep("partitions", "retire", "--dry-run").out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("2020w53: would go"),
                        line -> assertThat(line).startsWith("2021w01 stays: ").doesNotContain("\\n"));
        assertThat(sweep("partitions", "retire", "--dry-run").out())
                .contains(
                        "2020w53: would go",
                        "2021w01 stays: not all of its tasks are finished long enough",
                        "(nowhere)");

        JsonNode done = json("partitions", "retire", "--export", folder.toString(), "--json");

        assertThat(done.get("retired").toString())
                .isEqualTo("[{\"name\":\"2020w53\",\"fate\":\"exported\",\"tasks\":1}]");
        assertThat(done.get("staying")
                        .get(0)
                        .get("stragglers")
                        .get(0)
                        .get("place")
                        .asText())
                .isEqualTo("nowhere");
        assertThat(sweep("partitions", "list").out()).doesNotContain("2020w53").contains("2021w01");

        CapturedCommand restored = sweep("partitions", "restore", "--from", folder.toString(), "--range", "2020w53");

        assertThat(restored.out()).contains("restored 2 rows to task_2020w53");
        assertThat(sweep("partitions", "restore", "--from", folder.toString(), "--range", "2020w53")
                        .err())
                .contains("_2020w53 exists");
        assertThat(sweep("partitions", "retire", "--keep").exitCode()).isZero();
    }

    @Test
    void withoutOptionsItGoesByWhatTheInstallationIsSetTo() throws SQLException {
        run("delete from sweep.task where created_at > '2021-01-04T00:00:00Z'");
        set("--succeeded-for", "10000d", "--keep");

        assertThat(sweep("partitions", "retire").out()).contains("nothing is past the retention");
        assertRefused("is shorter than the 10000d", "--finished-for", "7d");
        assertRefused("is set to keep", "--drop");
        assertThat(sweep("partitions", "list").out()).contains("2020w53", "2021w01");

        set("--succeeded-for", "30d");
        assertThat(sweep("partitions", "retire").out()).contains("2020w53: kept", "2021w01: kept");
        run("select from sweep.task_2020w53");
    }

    @Test
    void whereItIsSetToExportAFolderIsAskedForAndLessHasToBeForced() {
        set("--export", folder.toString());

        assertRefused("name a folder for them with --export DIR");
        assertRefused("is set to export", "--drop");
        assertThat(sweep("partitions", "retire", "--dry-run").out()).contains("2020w53: would go");
        assertThat(sweep("partitions", "list").out()).contains("2020w53");

        assertThat(sweep("partitions", "retire", "--drop", "--finished-for", "1d", "--force")
                        .out())
                .contains("2020w53: dropped");
    }

    private void set(String... retention) {
        List<String> arguments = new ArrayList<>(List.of("maintain", "--once", "--only", "workers"));
        arguments.addAll(List.of(retention));
        assertThat(sweep(arguments.toArray(String[]::new)).exitCode()).isZero();
    }

    private void assertRefused(String why, String... options) {
        List<String> arguments = new ArrayList<>(List.of("partitions", "retire"));
        arguments.addAll(List.of(options));
        CapturedCommand refused = sweep(arguments.toArray(String[]::new));
        assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err()).contains(why);
    }

    @Test
    void badInputIsRefused() {
        CapturedCommand refused = sweep("partitions", "retire", "--finished-for", "10s");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err()).contains("finishedFor PT10S is out of range; use PT1M to 36500 days");
        assertThat(sweep("partitions", "retire", "--keep", "--drop").exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("sweep.", schema + "."));
        }
    }

    private JsonNode json(String... arguments) throws IOException {
        CapturedCommand ended = sweep(arguments);
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return new ObjectMapper().readTree(ended.out());
    }

    private CapturedCommand sweep(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", SERVER.jdbcUrl(), "--user", SERVER.user(), "--schema", schema));
        if (!SERVER.password().isEmpty()) {
            all.addAll(List.of("--password", SERVER.password()));
        }
        return CapturedCommand.run(all.toArray(String[]::new));
    }
}
