package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Task;
import dev.sweep.TaskFailure;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskViewsTest {

    private static final Instant NOW = Instant.parse("2030-01-31T08:00:00.123Z");
    private static final Task HOSTILE = new Task(
            TaskId.of(42),
            "mail\u001b[2J",
            "default",
            5,
            TaskStatus.FAILED,
            "{\"secret\": \"SECRET-4711\u009b\", \"amount\": 1.10, \"big\": 12345678901234567890.12}",
            Map.of("tenant\u0007", "7"),
            Optional.of("key\u001b]0;title\u0007"),
            2,
            3,
            1,
            Optional.of("boom \u001b[31mred\nsecond line"),
            NOW,
            NOW,
            Optional.empty(),
            Optional.of(NOW),
            Optional.of("{\"token\": \"SECRET-4711\"}"),
            Optional.of(TaskId.of(41)));

    private static final List<TaskFailure> FAILURES = List.of(new TaskFailure(
            TaskId.of(41),
            4,
            NOW,
            Optional.of("w\u001b[1m"),
            "java.io.IOException",
            "boom \u001b[31mred\nsecond line"));

    @Test
    void listOfDeadLettersNeitherShowsPayloadsNorObeysEscapes() {
        StringWriter out = new StringWriter();
        DeadListCommand.table(List.of(HOSTILE)).print(new PrintWriter(out));

        assertThat(out.toString())
                .contains("42", "mail\\u001b[2J", "2/3", "2030-01-31T08:00:00Z", "boom \\u001b[31mred\\nsecond")
                .doesNotContain("SECRET-4711")
                .doesNotContain("\u001b");
        assertThat(out.toString().lines()).hasSize(2);
    }

    @Test
    void listNeitherShowsPayloadsNorObeysEscapes() {
        StringWriter out = new StringWriter();
        ListCommand.table(List.of(HOSTILE)).print(new PrintWriter(out));

        assertThat(out.toString())
                .contains(
                        "42", "failed", "mail\\u001b[2J", "2/3", "2030-01-31T08:00:00Z", "boom \\u001b[31mred\\nsecond")
                .doesNotContain("SECRET-4711")
                .doesNotContain("\u001b");
        assertThat(out.toString().lines()).hasSize(2);
    }

    @Test
    void jsonOfAListHasNoPayload() {
        assertThat(JsonText.line(TaskJson.withoutPayload(HOSTILE)))
                .contains("\"id\":42", "\"startedAt\":null", "\"error\":\"boom \\u001B[31mred\\nsecond line\"")
                .doesNotContain("SECRET-4711");
    }

    @Test
    void showHasThePayloadWithItsNumbersAndObeysNoEscapes() {
        StringWriter out = new StringWriter();
        ShowCommand.print(HOSTILE, FAILURES, new PrintWriter(out));

        assertThat(out.toString())
                .contains("SECRET-4711\\u009b", "1.10", "12345678901234567890.12", "retries     2 of 3")
                .contains("error       boom \\u001b[31mred", "error       second line")
                .contains("requeued    from 41", "attempt 4 as task 41: boom \\u001b[31mred")
                .doesNotContain("\u001b")
                .doesNotContain("\u009b")
                .doesNotContain("\u0007");
    }

    @Test
    void jsonOfOneTaskHasThePayloadDigitForDigit() {
        assertThat(JsonText.line(TaskJson.whole(HOSTILE, FAILURES)))
                .contains(
                        "\"payload\":{\"secret\": \"SECRET-4711\\u009b\", \"amount\": 1.10, \"big\": 12345678901234567890.12}");
    }

    @Test
    void prettyPayloadKeepsNumbersInFull() {
        assertThat(JsonText.pretty("{\"a\":0.0000001,\"b\":1" + "0".repeat(400) + ",\"c\":[1.10]}"))
                .contains("0.0000001", "1" + "0".repeat(400), "1.10");
    }
}
