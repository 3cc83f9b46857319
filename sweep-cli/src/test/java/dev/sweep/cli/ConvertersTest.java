package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ConvertersTest {

    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "10s,PT10S", "5m,PT5M", "2h,PT2H", "1d,PT24H", "PT1H30M,PT1H30M", "P2D,PT48H"})
    void durationsAreReadInBothForms(String text, Duration duration) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "10x", "", "1.5s", "s", "-10s", "999999999999999999d", "99999999999999999999s"})
    void otherDurationsAreRefusedWithTheValueAndTheForms(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("10s");
    }

    @Test
    void instantsNeedAnOffset() {
        assertThat(new InstantConverter().convert("2030-01-31T09:00:00+01:00"))
                .isEqualTo(Instant.parse("2030-01-31T08:00:00Z"));
        assertThatThrownBy(() -> new InstantConverter().convert("2030-01-31T09:00:00"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("offset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "99999999999999999999"})
    void otherThanPositiveNumbersAreNoTaskIds(String text) {
        assertThatThrownBy(() -> new TaskIdConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
