package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.DedupKey;
import dev.sweep.InvalidTaskException;
import dev.sweep.Json;
import dev.sweep.NewTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskLineParserTest {

    private final TaskLineParser parser = new TaskLineParser();

    @Test
    void everyFieldReachesTheTask() {
        NewTask<Json> task = parser.parse("""
                {"type":"mail","payload":{"to":"a@b.c"},"dedupKey":"mail:1","priority":7,"queue":"slow",
                 "dueAt":"2030-01-31T08:00:00Z","maxRetries":0,"headers":{"tenant":"7"}}""");

        assertThat(task.type().name()).isEqualTo("mail");
        assertThat(task.payload()).isEqualTo(Json.of("{\"to\":\"a@b.c\"}"));
        assertThat(task.dedupKey()).contains(DedupKey.of("mail:1"));
        assertThat(task.priority()).isEqualTo(7);
        assertThat(task.queue()).isEqualTo("slow");
        assertThat(task.dueAt()).contains(Instant.parse("2030-01-31T08:00:00Z"));
        assertThat(task.maxRetries()).isZero();
        assertThat(task.headers()).isEqualTo(Map.of("tenant", "7"));
        assertThat(parser.parse("{\"type\":\"t\",\"payload\":1,\"delay\":\"10s\"}")
                        .delay())
                .isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.10",
                "12345678901234567890.12",
                "1E400",
                "-0",
                "0",
                "true",
                "\"text with \\u0041 \\\" } ,\"",
                "\"\"",
                "[]",
                "[1, [2], {\"a\" : 3.000}]",
                "{ \"a\" : { \"b\" : \"}\" } }",
                "{\"n\":1.10,\"n\":2.20}"
            })
    void payloadIsTheTextAsItStands(String payload) {
        assertThat(payloadOf("{\"type\":\"t\",\"payload\":" + payload + "}")).isEqualTo(payload);
        assertThat(payloadOf("{\"payload\" :  " + payload + "  , \"type\":\"t\"}"))
                .isEqualTo(payload);
    }

    @Test
    void payloadLargerThanAnyBufferOfTheParserIsTheTextAsItStands() {
        String payload = "{\"a\":\"" + "x\u00e9\ud83d\ude00\\n".repeat(30_000) + "\",\"b\":1.10}";

        assertThat(payloadOf("{\"type\":\"t\",\"payload\":" + payload + ",\"priority\":3}"))
                .isEqualTo(payload);
        assertThat(payloadOf("{\"type\":\"t\",\"payload\":\"" + "y".repeat(100_000) + "\"}"))
                .hasSize(100_002);
        assertThat(payloadOf("{\"type\":\"t\",\"payload\":" + "9".repeat(50_000) + "}"))
                .hasSize(50_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"t\",\"payload\":1,\"dedupkey\":\"k\"} | unknown field 'dedupkey'",
                "{\"type\":\"t\",\"payload\":1,\"type\":\"u\"}     | 'type' twice",
                "{\"payload\":{}}                                  | type is missing",
                "{\"type\":\"t\"}                                  | payload is missing",
                "{\"type\":\"t\",\"payload\":null}                 | payload is null",
                "{\"type\":7,\"payload\":{}}                       | type is not a string",
                "{\"type\":null,\"payload\":{}}                    | type is not a string",
                "{\"type\":\"t\",\"payload\":1,\"priority\":\"5\"} | priority \"5\" is not a whole number",
                "{\"type\":\"t\",\"payload\":1,\"priority\":5.0}   | priority 5.0 is not a whole number",
                "{\"type\":\"t\",\"payload\":1,\"priority\":99999999999} | priority 99999999999",
                "{\"type\":\"t\",\"payload\":1,\"delay\":\"10x\"}  | delay '10x' is not a duration",
                "{\"type\":\"t\",\"payload\":1,\"delay\":10}       | delay is not a string",
                "{\"type\":\"t\",\"payload\":1,\"dueAt\":\"soon\"} | dueAt 'soon' is not an instant",
                "{\"type\":\"t\",\"payload\":1,\"headers\":[]}     | headers is not an object",
                "{\"type\":\"t\",\"payload\":1,\"headers\":{\"a\":1}} | header a is not a string",
                "{\"type\":\"t\",\"payload\":1,\"headers\":{\"a\":\"1\",\"a\":\"2\"}} | header 'a' twice",
                "{\"type\":\"t\",\"payload\":1} {}                 | something after its JSON object",
                "[1]                                               | is not a JSON object",
                "{\"type\":\"t\",\"payload\":{                     | is not JSON",
                "nonsense                                          | is not JSON",
                "{\"type\":\"t\",\"payload\":01}                   | is not JSON",
                "{\"type\":\"t\",\"payload\":1,\"delay\":\"1s\",\"dueAt\":\"2030-01-31T08:00:00Z\"} | keep one"
            })
    void wrongLineIsRefusedAndSaysWhy(String line, String reason) {
        assertThatThrownBy(() -> parser.parse(line))
                .isInstanceOf(CliException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void valuesOutOfTheirBoundsAreRefusedAsTheApiRefusesThem() {
        assertThatThrownBy(() -> parser.parse("{\"type\":\"t\",\"payload\":1,\"priority\":11}"))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessageContaining("priority 11");
        assertThatThrownBy(() -> parser.parse("{\"type\":\" \",\"payload\":1}"))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessageContaining("blank");
    }

    private String payloadOf(String line) {
        return parser.parse(line).payload().text();
    }
}
