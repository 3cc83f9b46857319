package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SettableTimeTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    private final SettableTime time = SettableTime.at(START);

    @Test
    void standsStillUntilItIsMoved() {
        assertThat(time.now()).isEqualTo(START);
        assertThat(time.instant()).isEqualTo(START);
    }

    @Test
    void advanceMovesForwardAndSaysWhereTo() {
        assertThat(time.advance(Duration.ofSeconds(90))).isEqualTo("2026-03-01T10:01:30Z");
        assertThat(time.now()).isEqualTo("2026-03-01T10:01:30Z");
    }

    @Test
    void advanceRefusesToGoBack() {
        assertThatThrownBy(() -> time.advance(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S")
                .hasMessageContaining("set(Instant)");
        assertThat(time.now()).isEqualTo(START);
    }

    @Test
    void setJumpsBack() {
        time.set(START.minusSeconds(60));
        assertThat(time.now()).isEqualTo(START.minusSeconds(60));
    }
}
