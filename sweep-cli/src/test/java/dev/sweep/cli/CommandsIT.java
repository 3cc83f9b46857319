package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sweep.maintenance.Finding.Level;
import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a real PostgreSQL, each test in a schema of its own. */
@Timeout(120)
class CommandsIT {

    private static final PostgresServer SERVER = PostgresServer.shared();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    private final String schema = SERVER.newSchemaName("cli");

    @BeforeEach
    void migrate() {
        CapturedCommand migrated = sweep("migrate");
        assertThat(migrated.exitCode()).as(migrated.err()).isZero();
        assertThat(migrated.out()).contains(schema);
    }

    @AfterEach
    void dropSchema() {
        SERVER.dropSchema(schema);
    }

    @Test
    void missingSchemaSaysWhatToDo() {
        SERVER.dropSchema(schema);

        CapturedCommand ended = sweep("stats");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.SCHEMA);
        assertThat(ended.err().lines()).singleElement().asString().contains("sweep migrate");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void theDoctorSaysWhatToDoAndHowBadItIs() throws IOException {
        sweep("enqueue", "--type", "mail", "--payload", "{\"secret\": \"SECRET-4711\"}");
        CapturedCommand ended = sweep("doctor", "--json");
        CapturedCommand forPeople = sweep("doctor");

        JsonNode json = MAPPER.readTree(ended.out());
        // Started servers of tests are not durable, which is a fault.
        assertThat(ended.exitCode())
                .isEqualTo(DoctorCommand.exitCode(
                        Level.valueOf(json.get("level").asText().toUpperCase(Locale.ROOT))))
                .isIn(ExitCode.WARNING, ExitCode.FAULT);
        assertThat(json.get("findings").findValuesAsText("check")).contains("schema", "chores", "settings");
        assertThat(forPeople.out().lines())
                .anyMatch(line -> line.startsWith("warning  chores"))
                .anyMatch(line -> line.contains("do: keep a MaintenanceService"));
        assertThat(forPeople.out() + ended.out()).doesNotContain("SECRET-4711");
    }

    @Test
    void theDoctorToldOfNoSchemaSaysSo() {
        SERVER.dropSchema(schema);

        CapturedCommand ended = sweep("doctor");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.FAULT);
        assertThat(ended.out()).contains("sweep migrate");
    }

    @Test
    void metricsArePrinted() throws IOException {
        assertThat(sweep("metrics").out()).contains("# TYPE sweep_tasks gauge", "status=\"pending\"} 0");
        assertThat(json(sweep("metrics", "--json")).get("metrics").findValuesAsText("name"))
                .contains("sweep_tasks", "sweep_gauges_unreadable");
    }

    @Test
    void migrateIsRepeatable() throws IOException {
        JsonNode json = json(sweep("migrate", "--json"));

        assertThat(json.get("schema").asText()).isEqualTo(schema);
        assertThat(json.get("version").asInt()).isPositive();
    }

    @Test
    void oneTaskIsEnqueuedOnceShownListedAndCancelled() throws IOException {
        String[] enqueue = {
            "enqueue",
            "--type",
            "mail",
            "--payload",
            "{\"n\": 1.10, \"big\": 12345678901234567890.12}",
            "--dedup-key",
            "mail:1",
            "--priority",
            "7",
            "--delay",
            "1h",
            "--header",
            "tenant=7",
            "--json"
        };
        JsonNode first = json(sweep(enqueue));
        JsonNode second = json(sweep(enqueue));
        assertThat(first.get("new").asBoolean()).isTrue();
        assertThat(second.get("new").asBoolean()).isFalse();
        assertThat(second.get("id")).isEqualTo(first.get("id"));
        String id = first.get("id").asText();

        CapturedCommand shown = sweep("show", id, "--json");
        assertThat(shown.out()).contains("1.10", "12345678901234567890.12");
        JsonNode task = json(shown);
        assertThat(task.get("status").asText()).isEqualTo("pending");
        assertThat(task.get("priority").asInt()).isEqualTo(7);
        assertThat(task.get("headers").get("tenant").asText()).isEqualTo("7");
        assertThat(sweep("show", id).out()).contains("dedup key   mail:1", "1.10");

        assertThat(json(sweep("list", "--type", "mail", "--json")).get("id").asText())
                .isEqualTo(id);
        assertThat(sweep("list", "--type", "other", "--json").out()).isEmpty();
        assertThat(sweep("list", "--status", "pending").out()).contains(id, "mail", "0/3");

        assertThat(json(sweep("cancel", id, "--json")).get("status").asText()).isEqualTo("cancelled");
        assertThat(sweep("cancel", id).exitCode()).isZero();
    }

    @Test
    void payloadIsReadFromAFileAsItStands() throws IOException {
        Path file = Files.writeString(
                folder.resolve("report.json"), "{ \"a b\": \"--type x # no option\",\n \"n\": 1.5 }\n");

        JsonNode enqueued = json(sweep(
                "enqueue", "--type", "t", "--payload", "@" + file, "--header", "a=1", "--header", "b=2", "--json"));

        JsonNode task = json(sweep("show", enqueued.get("id").asText(), "--json"));
        assertThat(task.get("payload").toString()).isEqualTo("{\"n\":1.5,\"a b\":\"--type x # no option\"}");
        assertThat(task.get("headers").size()).isEqualTo(2);
    }

    @Test
    void payloadThatIsNotJsonIsRefused() {
        CapturedCommand ended = sweep("enqueue", "--type", "mail", "--payload", "{oops");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ended.err().lines()).singleElement().asString().contains("is not JSON");
    }

    @Test
    void unknownTaskIsExitCodeOne() {
        assertThat(sweep("show", "1").exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(sweep("cancel", "1").exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(sweep("show", "1").err()).contains("there is no task 1");
    }

    @Test
    void wrongLineReportsWhatIsStored() throws IOException {
        Path file = Files.writeString(folder.resolve("tasks.jsonl"), lines(1, 5) + "{\"type\":\"t\"}\n" + lines(6, 9));

        CapturedCommand ended = sweep("enqueue", "--file", file.toString(), "--batch", "2", "--json");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ended.err()).contains("line 6: the payload is missing");
        JsonNode report = json(ended);
        assertThat(report.get("enqueued").asInt()).isEqualTo(4);
        assertThat(report.get("error").asText()).startsWith("line 6");
        assertThat(count("pending")).isEqualTo(4);

        Files.writeString(file, lines(1, 9));
        JsonNode again = json(sweep("enqueue", "--file", file.toString(), "--json"));
        assertThat(again.get("enqueued").asInt()).isEqualTo(5);
        assertThat(again.get("duplicates").asInt()).isEqualTo(4);
        assertThat(count("pending")).isEqualTo(9);
    }

    @Test
    void linesAreEnqueuedAndDrainedThroughAProgram() throws IOException {
        Path file = Files.writeString(folder.resolve("tasks.jsonl"), lines(1, 40));
        assertThat(sweep("enqueue", "--file", file.toString()).out())
                .isEqualToIgnoringNewLines("40 enqueued, 0 duplicates");
        Path seen = Files.createDirectory(folder.resolve("seen"));
        Path program = script("cat > " + seen + "/$SWEEP_TASK_ID");

        CapturedCommand worked =
                sweep("work", "--type", "t", "--exec", program.toString(), "--drain", "--concurrency", "4", "--json");

        assertThat(worked.exitCode()).as(worked.err()).isZero();
        assertThat(worked.err()).contains("running tasks of type t in queue default, up to 4 at once");
        assertThat(json(worked).get("succeeded").asInt()).isEqualTo(40);
        assertThat(count("succeeded")).isEqualTo(40);
        try (var files = Files.list(seen)) {
            List<Path> payloads = files.toList();
            assertThat(payloads).hasSize(40);
            assertThat(Files.readString(payloads.get(0))).contains("\"i\":");
        }
    }

    @Test
    void failuresAndSnoozesOfAProgramAreOutcomes() throws IOException {
        String failing = json(sweep("enqueue", "--type", "bad", "--max-retries", "0", "--json"))
                .get("id")
                .asText();
        String snoozing =
                json(sweep("enqueue", "--type", "later", "--json")).get("id").asText();
        Path program = script("[ $SWEEP_TASK_TYPE = later ] && exit 75; printf 'no \\033[31mway\\n' >&2; exit 7");

        CapturedCommand worked = sweep(
                "work",
                "--type",
                "bad",
                "--type",
                "later",
                "--exec",
                program.toString(),
                "--snooze",
                "1h",
                "--drain",
                "--json");

        JsonNode counts = json(worked);
        assertThat(counts.get("failed").asInt()).isEqualTo(1);
        assertThat(counts.get("snoozed").asInt()).isEqualTo(1);
        assertThat(worked.err())
                .contains("[task " + failing + "] no \\u001b[31mway")
                .doesNotContain("\u001b");
        assertThat(json(sweep("show", failing, "--json")).get("error").asText()).contains("exit code 7: no ");
        assertThat(sweep("list", "--status", "failed").out())
                .contains("exit code 7")
                .doesNotContain("\u001b");
        JsonNode snoozed = json(sweep("show", snoozing, "--json"));
        assertThat(snoozed.get("status").asText()).isEqualTo("pending");
        assertThat(snoozed.get("retryCount").asInt()).isZero();
        assertThat(sweep("cancel", failing).exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(sweep("cancel", failing).out()).contains("had already failed");
    }

    @Test
    void contradictingSettingsOfAWorkerAreToldBeforeAnythingIsClaimed() throws IOException {
        json(sweep("enqueue", "--type", "t", "--json"));

        CapturedCommand ended =
                sweep("work", "--type", "t", "--exec", "true", "--lease", "10s", "--heartbeat", "9s", "--drain");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ended.err()).contains("heartbeat PT9S");
        assertThat(count("pending")).isEqualTo(1);
    }

    @Test
    void maintenanceRunsOnceAndTellsHowItsChoresDo() throws IOException {
        JsonNode reports = json(sweep("maintain", "--once", "--json"));
        assertThat(reports).extracting(report -> report.get("name").asText()).contains("old-tasks", "totals");
        assertThat(reports).allMatch(report -> report.get("error").isNull());

        JsonNode states = json(sweep("maintain", "--list", "--json")).get("chores");
        assertThat(states).hasSameSizeAs(reports);
        assertThat(states).allMatch(state -> state.get("runs").asInt() == 1);
        assertThat(sweep("maintain", "--list").out()).contains("CHORE", "LAST SUCCESS", "old-tasks");
        assertThat(sweep("maintain", "--once", "--only", "totals").out().lines())
                .hasSize(2);
        assertThat(sweep("maintain", "--once", "--only", "soap").exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void theRetentionThatWasSetIsShown() throws IOException {
        assertThat(sweep("maintain", "--list").out())
                .contains("succeeded 7d, cancelled 7d, dead letters 90d; old partitions: drop");
        sweep("maintain", "--once", "--only", "workers", "--succeeded-for", "36h", "--cancelled-for", "90s", "--keep");

        assertThat(sweep("maintain", "--list").out())
                .contains("succeeded 36h, cancelled PT1M30S, dead letters 90d; old partitions: keep");
        JsonNode retention = json(sweep("maintain", "--list", "--json")).get("retention");
        assertThat(retention.get("succeededMillis").asLong()).isEqualTo(36 * 3_600_000);
        assertThat(retention.get("cancelledMillis").asLong()).isEqualTo(90_000);
        assertThat(retention.get("deadLettersMillis").asLong()).isEqualTo(90L * 24 * 3_600_000);
        assertThat(retention.get("oldPartitions").asText()).isEqualTo("keep");
    }

    @Test
    void aWorkerIsShownWithWhatItRuns() throws IOException {
        sweep("work", "--type", "mail", "--exec", "true", "--drain");
        JsonNode worker = json(sweep("workers", "--json")).get(0);
        assertThat(worker.get("types").get(0).asText()).isEqualTo("mail");
        assertThat(worker.get("queues").get(0).asText()).isEqualTo("default");
        assertThat(worker.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(worker.get("stoppedAt").isNull()).isFalse();
        assertThat(sweep("workers").out()).contains("WORKER", "stopped", "mail");
    }

    @Test
    void statsAreATableForPeople() throws IOException {
        json(sweep("enqueue", "--type", "t", "--json"));

        assertThat(sweep("stats").out()).contains("STATUS", "TASKS").containsPattern("pending +1 ");
    }

    private int count(String status) throws IOException {
        return json(sweep("stats", "--json")).path(status).path("count").asInt();
    }

    private static JsonNode json(CapturedCommand ended) throws IOException {
        assertThat(ended.out().lines()).as(ended.err()).hasSize(1);
        return MAPPER.readTree(ended.out());
    }

    private Path script(String text) throws IOException {
        Path script = Files.writeString(folder.resolve("handle.sh"), "#!/bin/sh\n" + text + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static String lines(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(i -> "{\"type\":\"t\",\"payload\":{\"i\":" + i + "},\"dedupKey\":\"k" + i + "\"}\n")
                .collect(Collectors.joining());
    }

    private CapturedCommand sweep(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--url", SERVER.jdbcUrl(), "--user", SERVER.user(), "--schema", schema));
        if (!SERVER.password().isEmpty()) {
            all.addAll(List.of("--password", SERVER.password()));
        }
        return CapturedCommand.run(all.toArray(String[]::new));
    }
}
