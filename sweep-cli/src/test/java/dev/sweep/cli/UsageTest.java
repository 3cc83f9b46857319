package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be said without a database. */
class UsageTest {

    private static final String NOBODY_THERE = "jdbc:postgresql://localhost:1/none";

    @Test
    void aloneItPrintsItsHelp() {
        CapturedCommand help = CapturedCommand.run();

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("Usage: sweep", "demo", "enqueue", "Exit codes:", "Examples:");
        assertThat(help.out()).doesNotContain("demo-worker");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "bench",
                "migrate",
                "enqueue",
                "work",
                "maintain",
                "workers",
                "stats",
                "list",
                "show",
                "await",
                "cancel",
                "requeue",
                "dead list",
                "dead show",
                "dead requeue",
                "dead delete",
                "reprioritise",
                "reschedule",
                "pause",
                "resume",
                "partitions list",
                "partitions on",
                "partitions ahead",
                "partitions off",
                "partitions retire",
                "partitions restore",
                "doctor",
                "metrics"
            })
    void everyCommandExplainsItselfWithExamplesAndFitsIntoAHundredColumns(String command) {
        CapturedCommand help = CapturedCommand.run((command + " --help").split(" "));

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("Usage: sweep " + command, "Examples:", "--url", "--json");
        assertThat(help.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(help.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enqueue --type t --priority 0                | priority 0 is out of range; use 1 to 10",
                "enqueue --type t --priority 11               | priority 11 is out of range; use 1 to 10",
                "enqueue --type t --priority x                | '--priority'",
                "enqueue --type t --delay 10x                 | '10x' is not a duration",
                "enqueue --type t --due-at tomorrow           | 'tomorrow' is not an instant",
                "enqueue --type t --due-at 1999-01-01T00:00Z  | out of range",
                "enqueue --type t --delay 1s --due-at 2030-01-31T08:00:00Z | keep one",
                "enqueue --type t --max-retries -1            | max retries -1 is out of range",
                "enqueue --type t --payload null              | payload is null",
                "enqueue --type t --payload @/no/such/file    | no file '/no/such/file'",
                "enqueue --type t --type u                    | '--type' is given twice",
                "enqueue --dedup-key k --type t --priority 1 --priority 2 | '--priority' is given twice",
                "enqueue --payload {}                         | type is missing",
                "enqueue                                      | say what to enqueue",
                "enqueue --file x --type t                    | with --file every line",
                "enqueue --file x --batch 0                   | --batch 0 is out of range",
                "enqueue --file /no/such/file                 | no file '/no/such/file'",
                "enqueue --file /                             | no file '/'",
                "work --type t                                | --exec",
                "work --exec true                             | --type",
                "work --type t --exec /no/such/program        | '/no/such/program' is no program",
                "work --type t --exec no-such-program         | not on the PATH",
                "work --type t --exec true --concurrency 0    | --concurrency 0 is out of range",
                "work --type t --exec true --snooze -PT1S     | snooze delay PT-1S is out of range",
                "maintain --once --list                       | --once and --list exclude each other",
                "maintain --list --keep                       | --list changes nothing; leave out what sets",
                "maintain --succeeded-for x                   | 'x' is not a duration",
                "list --status done                           | status 'done' is unknown",
                "list --limit 0                               | limit 0 is out of range",
                "list --before x                              | 'x' is not a task id",
                "show 0                                       | '0' is not a task id",
                "show                                         | ID",
                "cancel abc                                   | 'abc' is not a task id",
                "cancel                                       | say which tasks",
                "cancel --yes                                 | say which tasks",
                "cancel 1 --type t                            | keep one of both",
                "cancel 1 --yes                               | keep one of both",
                "cancel --type t --yes                        | --yes needs --up-to ID; run the command without",
                "cancel --type t --up-to 0                    | '0' is not a task id",
                "cancel --type t --up-to 7 --at-most -1       | --at-most -1 is out of range; use 0 or more",
                "cancel --type t --status done                | status 'done' is unknown",
                "cancel --created-from yesterday              | 'yesterday' is not an instant",
                "cancel --type t --up-to 7 --yes --dry-run    | --yes and --dry-run contradict each other; keep one",
                "cancel 1 --dry-run                           | keep one of both",
                "requeue                                      | say which tasks",
                "dead list --limit 10001                      | limit 10001 is out of range",
                "dead show x                                  | 'x' is not a task id",
                "dead requeue                                 | say which tasks",
                "dead delete --type t --yes                   | --yes needs --up-to ID; run the command without",
                "reprioritise 1                               | --priority",
                "reprioritise 1 --priority 11                 | priority 11 is out of range; use 1 to 10",
                "reschedule 1                                 | say when: --now or --at INSTANT",
                "reschedule 1 --now --at 2030-01-31T08:00:00Z | say when: --now or --at INSTANT",
                "reschedule 1 --at noon                       | 'noon' is not an instant",
                "resume                                       | QUEUE",
                "await 1 --timeout soon                       | 'soon' is not a duration",
                "partitions on --period year                  | 'year'",
                "partitions on --ahead 0                      | --ahead 0 is out of range; use 1 to 120",
                "migrate --partitions year                    | 'year'",
                "demo --tasks 9                               | --tasks 9 is out of range; use 10 to 1000000",
                "demo --user joe                              | name it with --url",
                "bench --tasks 0                              | --tasks 0 is out of range; use 1 to 50000000",
                "bench --payload 39                           | --payload 39 is out of range; use 40 to 1000000",
                "bench --workers 65                           | --workers 65 is out of range; use 1 to 64",
                "bench --pin-for 5                            | --pin-for says how long before the run",
                "bench --contenders sweep,bullet              | contender 'bullet' is unknown; known are sweep, classic",
                "bench --workloads drain,drain                | --workloads drain,drain names one twice",
                "bench --workloads fly                        | workload 'fly' is unknown; known are enqueue,",
                "bench --url jdbc:x --setting jit=off         | --setting is about the embedded PostgreSQL",
                "bench --user joe                             | name it with --url",
                "stats --url mysql://host/db                  | 'mysql://host/db' is not one of PostgreSQL",
                "stats --schema a --url jdbc:x --schema b     | '--schema' is given twice",
                "demo --url jdbc:x --user a --url jdbc:y      | '--url' is given twice",
                "stats --frobnicate                           | '--frobnicate'",
                "enqueu                                       | 'enqueu'"
            })
    void badInputIsOneClearLineAndExitCodeTwo(String commandLine, String message) {
        CapturedCommand ended = runWithUrl(commandLine);

        assertThat(ended.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ended.err().lines().findFirst().orElse(""))
                .startsWith("sweep")
                .contains(message);
        assertThat(ended.err()).doesNotContain("\tat ");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void unreachableDatabaseIsOneClearLineAndExitCodeThree() {
        CapturedCommand ended = CapturedCommand.run("stats", "--url", NOBODY_THERE);

        assertThat(ended.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(ended.err().lines()).singleElement().asString().contains(NOBODY_THERE, "refused", "--url");
    }

    @Test
    void verboseShowsTheStackTrace() {
        assertThat(CapturedCommand.run("stats", "--verbose", "--url", NOBODY_THERE)
                        .err())
                .contains("\tat ");
    }

    @Test
    void escapesInArgumentsDoNotReachTheTerminal() {
        assertThat(CapturedCommand.run("list", "--status", "\u001b[31m").err())
                .contains("\\u001b[31m")
                .doesNotContain("\u001b");
    }

    private static CapturedCommand runWithUrl(String commandLine) {
        String[] words = commandLine.strip().split(" +", -1);
        boolean needsUrl = !Stream.of("demo", "bench", "stats", "enqueu").anyMatch(words[0]::equals);
        if (!needsUrl) {
            return CapturedCommand.run(words);
        }
        Stream<String> url = Stream.of("--url", NOBODY_THERE);
        return CapturedCommand.run(Stream.concat(Arrays.stream(words), url).toArray(String[]::new));
    }
}
