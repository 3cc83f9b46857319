package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that change tasks by hand, on a real PostgreSQL, each test in a schema of its own. */
@Timeout(120)
class ChangesIT {

    private static final PostgresServer SERVER = PostgresServer.shared();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    private final String schema = SERVER.newSchemaName("changes");

    @BeforeEach
    void migrate() {
        assertThat(sweep("migrate").exitCode()).isZero();
    }

    @AfterEach
    void dropSchema() {
        SERVER.dropSchema(schema);
    }

    @Test
    void cancelTellsOfEveryTaskWhatBecameOfIt() throws IOException {
        String first = enqueued("mail");
        String second = enqueued("mail");
        assertThat(sweep("cancel", first).exitCode()).isZero();

        CapturedCommand ended = sweep("cancel", first, second, "1", "--json");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
        List<JsonNode> lines = lines(ended);
        assertThat(lines).extracting(line -> line.get("id").asText()).containsExactly(first, second);
        assertThat(lines).extracting(line -> line.get("result").asText()).containsExactly("unchanged", "changed");
        assertThat(lines).extracting(line -> line.get("status").asText()).containsOnly("cancelled");
        assertThat(ended.err()).contains("there is no task 1");
    }

    @Test
    void everyChangeLeavesALineOfWhoAndWhen() throws IOException {
        String id = enqueued("mail");

        assertThat(sweep("cancel", id).err())
                .containsPattern("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ \\S+@.*, database user " + SERVER.user()
                        + ": 1 cancelled of " + id);
        assertThat(sweep("pause", "bulk").err()).contains("database user " + SERVER.user() + ": pause of queue bulk");
    }

    @Test
    void filterCountsFirstAndPrintsTheCommandThatDoesIt() throws IOException {
        enqueueMany(25, "mail");
        enqueued("other");

        CapturedCommand looked = sweep("cancel", "--type", "mail");

        assertThat(looked.exitCode()).isZero();
        assertThat(looked.out()).startsWith("25 tasks match; the newest is ");
        assertThat(looked.err()).contains("Nothing was changed").contains("sweep cancel --type mail");
        assertThat(count("pending")).isEqualTo(26);

        JsonNode json = json(sweep("cancel", "--type", "mail", "--json"));
        assertThat(json.get("matching").asInt()).isEqualTo(25);
        enqueueMany(5, "mail");
        CapturedCommand done = run(json.get("command").asText());

        assertThat(done.exitCode()).as(done.err()).isZero();
        assertThat(json(done).get("changed").asInt()).isEqualTo(25);
        assertThat(count("cancelled")).isEqualTo(25);
        assertThat(count("pending")).isEqualTo(6);
        assertThat(json(run(json.get("command").asText())).get("selected").asInt())
                .isZero();
    }

    @Test
    void moreThanWasCountedChangesNothing() throws IOException {
        enqueueMany(3, "mail");
        String newest =
                json(sweep("cancel", "--type", "mail", "--json")).get("newest").asText();

        CapturedCommand refused = sweep("cancel", "--type", "mail", "--up-to", newest, "--at-most", "2", "--yes");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err()).contains("3 tasks match by now, more than the 2 of --at-most");
        assertThat(count("pending")).isEqualTo(3);
    }

    @Test
    void nothingThatMatchesIsNoError() {
        CapturedCommand looked = sweep("requeue", "--type", "none");

        assertThat(looked.exitCode()).isZero();
        assertThat(looked.out()).isEqualToIgnoringNewLines("no task matches");
    }

    @Test
    void failedTaskIsRequeuedOnceAndItsFailuresAreShown() throws IOException {
        String id = enqueued("bad", "--max-retries", "0");
        assertThat(sweep("requeue", id).out()).contains("is pending; only failed and cancelled tasks can be requeued");
        assertThat(sweep("requeue", id).exitCode()).isEqualTo(ExitCode.FAILED);
        failAll("bad");

        CapturedCommand first = sweep("requeue", id, "--json");
        CapturedCommand second = sweep("requeue", id, "--json");

        assertThat(first.exitCode()).isZero();
        assertThat(second.exitCode()).isZero();
        JsonNode answer = json(first);
        assertThat(answer.get("result").asText()).isEqualTo("changed");
        String fresh = answer.get("newId").asText();
        assertThat(json(second).get("result").asText()).isEqualTo("requeued before");
        assertThat(json(second).get("newId").asText()).isEqualTo(fresh);
        assertThat(sweep("requeue", id).out()).contains("had been requeued before, as " + fresh);
        JsonNode task = json(sweep("show", fresh, "--json"));
        assertThat(task.get("requeuedFrom").asText()).isEqualTo(id);
        assertThat(task.get("status").asText()).isEqualTo("pending");
        assertThat(task.get("failures").get(0).get("ranAs").asText()).isEqualTo(id);
        assertThat(sweep("show", fresh).out())
                .contains("requeued    from " + id, "attempt 1 as task " + id + ": the program ended with exit code 7");
        assertThat(sweep("show", id).exitCode()).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void allFailedTasksOfATypeAreRequeued() throws IOException {
        for (int i = 0; i < 3; i++) {
            enqueued("bad", "--max-retries", "0");
        }
        failAll("bad");
        assertThat(count("failed")).isEqualTo(3);

        CapturedCommand done = run(json(sweep("requeue", "--type", "bad", "--json"))
                .get("command")
                .asText()
                .replace(" --json", ""));

        assertThat(done.out()).isEqualToIgnoringNewLines("3 of 3 tasks requeued");
        assertThat(count("failed")).isZero();
        assertThat(count("pending")).isEqualTo(3);
    }

    @Test
    void deadLettersAreListedShownAndDeleted() throws IOException {
        String id = enqueued("bad", "--max-retries", "0", "--payload", "{\"token\":\"SECRET-4711\"}");
        enqueued("good");
        failAll("bad");

        assertThat(sweep("dead", "list").out())
                .contains(id, "bad", "exit code 7")
                .doesNotContain("SECRET-4711");
        assertThat(json(sweep("dead", "list", "--json")).get("status").asText()).isEqualTo("failed");
        assertThat(sweep("dead", "list", "--type", "good").out()).doesNotContain("good");
        assertThat(sweep("dead", "show", id).out()).contains("SECRET-4711", "attempt 1: the program ended");

        CapturedCommand deleted = sweep("dead", "delete", id);
        assertThat(deleted.out()).isEqualToIgnoringNewLines("task " + id + " is deleted");
        assertThat(deleted.err()).contains("1 deleted of " + id);
        assertThat(sweep("dead", "delete", id).err()).contains("there is no task " + id);
        assertThat(count("failed")).isZero();
        assertThat(count("pending")).isEqualTo(1);
    }

    @Test
    void onlyFailedTasksAreDeleted() throws IOException {
        String id = enqueued("mail");

        CapturedCommand refused = sweep("dead", "delete", id);

        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.out()).contains("is pending; only failed tasks can be deleted; nothing was changed");
    }

    /** Whoever says yes to a count changes exactly what was counted, whatever has failed since. */
    @Test
    void personAtTheTerminalIsAskedOnce() throws IOException {
        enqueued("bad", "--max-retries", "0");
        enqueued("bad", "--max-retries", "0");
        failAll("bad");
        List<String> questions = new ArrayList<>();
        Confirmation yes = (question, err) -> {
            questions.add(question);
            failOneMore();
            return Optional.of(true);
        };

        assertThat(sweep((question, err) -> Optional.of(false), "dead", "requeue", "--type", "bad")
                        .err())
                .isEqualToIgnoringNewLines("Nothing was changed.");
        assertThat(sweep(yes, "dead", "requeue", "--type", "bad", "--dry-run").out())
                .startsWith("2 tasks match; the newest is ");
        assertThat(questions).isEmpty();
        assertThat(sweep(yes, "dead", "requeue", "--type", "bad").out())
                .isEqualToIgnoringNewLines("2 of 2 tasks requeued");

        assertThat(questions).containsExactly("2 tasks match. Shall they be requeued now?");
        assertThat(count("failed")).isEqualTo(1);
        assertThat(count("pending")).isEqualTo(2);
    }

    @Test
    void waitingTasksGetAnotherPriorityAndDueTime() throws IOException {
        String id = enqueued("mail", "--delay", "1d");

        assertThat(sweep("reprioritise", id, "--priority", "9").out()).contains("is given priority 9");
        assertThat(sweep("reschedule", id, "--at", "2100-01-01T00:00:00Z").out())
                .contains("is made due at 2100-01-01T00:00:00Z");

        JsonNode task = json(sweep("show", id, "--json"));
        assertThat(task.get("priority").asInt()).isEqualTo(9);
        assertThat(task.get("dueAt").asText()).isEqualTo("2100-01-01T00:00:00Z");
        assertThat(sweep("reschedule", id, "--now").exitCode()).isZero();
        assertThat(json(sweep("show", id, "--json")).get("dueAt").asText())
                .startsWith("20")
                .isLessThan("2100");
        sweep("cancel", id);
        CapturedCommand late = sweep("reprioritise", id, "--priority", "1");
        assertThat(late.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(late.out())
                .contains("is cancelled; only waiting tasks can be given priority 1; nothing was changed");
    }

    @Test
    void queuesArePausedListedAndResumed() throws IOException {
        assertThat(sweep("pause").out()).contains("no queue is paused");

        assertThat(sweep("pause", "b", "a").out()).isEqualToIgnoringNewLines("paused: a, b");
        assertThat(sweep("pause", "a").exitCode()).isZero();
        assertThat(json(sweep("resume", "b", "c", "--json")).get("paused").toString())
                .isEqualTo("[\"a\"]");
    }

    @Test
    void awaitTellsHowATaskEndedOrThatItHasNot() throws IOException {
        String id = enqueued("mail");

        CapturedCommand early = sweep("await", id, "--timeout", "30ms");
        assertThat(early.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(early.out()).contains("is still pending");
        assertThat(sweep("await", "1", "--timeout", "0s").err()).contains("there is no task 1");

        sweep("work", "--type", "mail", "--exec", "true", "--drain", "--quiet");
        CapturedCommand ended = sweep("await", id, "--json");
        assertThat(ended.exitCode()).isZero();
        assertThat(json(ended).get("status").asText()).isEqualTo("succeeded");
    }

    /** Runs a printed command as a shell would; what is quoted has no blanks here. */
    private CapturedCommand run(String command) {
        List<String> words = Arrays.stream(command.split(" "))
                .map(word -> word.replace("'", ""))
                .toList();
        assertThat(words.get(0)).isEqualTo("sweep");
        List<String> all = new ArrayList<>(words.subList(1, words.size()));
        if (!SERVER.password().isEmpty()) {
            all.addAll(List.of("--password", SERVER.password()));
        }
        return CapturedCommand.run(all.toArray(String[]::new));
    }

    private void failOneMore() {
        try {
            enqueued("bad", "--max-retries", "0");
            failAll("bad");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void failAll(String type) throws IOException {
        Path program = Files.writeString(folder.resolve("fail.sh"), "#!/bin/sh\nexit 7\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        sweep("work", "--type", type, "--exec", program.toString(), "--drain", "--quiet");
    }

    private String enqueued(String type, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("enqueue", "--type", type, "--json"));
        words.addAll(List.of(more));
        return json(sweep(words.toArray(String[]::new))).get("id").asText();
    }

    private void enqueueMany(int count, String type) throws IOException {
        Path file = Files.writeString(
                folder.resolve("tasks.jsonl"),
                IntStream.range(0, count)
                        .mapToObj(i -> "{\"type\":\"" + type + "\",\"payload\":{}}\n")
                        .collect(Collectors.joining()));
        assertThat(sweep("enqueue", "--file", file.toString()).exitCode()).isZero();
    }

    private int count(String status) throws IOException {
        return json(sweep("stats", "--json")).path(status).path("count").asInt();
    }

    private static JsonNode json(CapturedCommand ended) throws IOException {
        List<JsonNode> lines = lines(ended);
        assertThat(lines).as(ended.err()).hasSize(1);
        return lines.get(0);
    }

    private static List<JsonNode> lines(CapturedCommand ended) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : ended.out().lines().toList()) {
            lines.add(MAPPER.readTree(line));
        }
        return lines;
    }

    private CapturedCommand sweep(String... words) {
        return sweep((question, err) -> Optional.empty(), words);
    }

    private CapturedCommand sweep(Confirmation confirmation, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--url", SERVER.jdbcUrl(), "--user", SERVER.user(), "--schema", schema));
        if (!SERVER.password().isEmpty()) {
            all.addAll(List.of("--password", SERVER.password()));
        }
        return CapturedCommand.run(confirmation, all.toArray(String[]::new));
    }
}
