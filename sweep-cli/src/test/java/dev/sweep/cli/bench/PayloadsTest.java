package dev.sweep.cli.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadsTest {

    @ParameterizedTest
    @ValueSource(ints = {Payloads.MIN_BYTES, 100, 5_000})
    void payloadsHaveTheAskedSizeAndKnowTheirAge(int bytes) {
        String payload = new Payloads(bytes).next();

        assertThat(payload.getBytes(UTF_8)).hasSize(bytes);
        assertThat(Payloads.age(payload)).isBetween(Duration.ZERO, Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"pad\": \"x\", \"at\": %d}", "{\"at\":%d,\"pad\":\"\"}"})
    void ageIsFoundHoweverTheDatabaseWritesJson(String json) {
        String old = json.formatted(Micros.now() - 5 * Micros.PER_SECOND);

        assertThat(Payloads.age(old)).isBetween(Duration.ofSeconds(5), Duration.ofMinutes(1));
    }
}
