package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final Duration TEN_YEARS = Duration.ofDays(3650);

    /** Draws the largest number it may, so that a delay is the ceiling of its jitter. */
    private static final RandomGenerator LARGEST = new Random(0) {
        private static final long serialVersionUID = 1L;

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    @ParameterizedTest
    @CsvSource({
        "1, PT1S",
        "2, PT2S",
        "3, PT4S",
        "12, PT2048S",
        "13, PT1H",
        "30, PT1H",
        "31, PT1H",
        "32, PT1H",
        "33, PT1H",
        "61, PT1H",
        "62, PT1H",
        "63, PT1H",
        "64, PT1H",
        "65, PT1H",
        "99, PT1H",
        "2147483647, PT1H"
    })
    void theDefaultDoublesOneSecondUpToAnHour(int failures, Duration ceiling) {
        assertThat(Backoff.ofDefaults().delayAfter(failures, LARGEST)).isEqualTo(ceiling);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 31, 32, 61, 62, 63, 64, 99, Integer.MAX_VALUE})
    void aBaseOfZeroIsAlwaysZero(int failures) {
        assertThat(Backoff.exponential(Duration.ZERO, TEN_YEARS).delayAfter(failures, LARGEST))
                .isZero();
    }

    @Test
    void aBaseBelowAMillisecondDoublesToo() {
        Backoff backoff = Backoff.exponential(Duration.ofNanos(1), Duration.ofHours(1));

        assertThat(backoff.delayAfter(1, LARGEST)).isEqualTo(Duration.ofMillis(1));
        assertThat(backoff.delayAfter(99, LARGEST)).isEqualTo(Duration.ofHours(1));
        assertThat(Backoff.exponential(Duration.ofNanos(5), Duration.ofNanos(5)).delayAfter(1, LARGEST))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "61, 1152921504606846976", "62, 2305843009213693952", "63, 4611686018427387904"})
    void theCeilingIsExactUpToTheLastPowerOfTwo(int failures, long ceiling) {
        assertThat(ExponentialCeiling.millis(1, Long.MAX_VALUE, failures)).isEqualTo(ceiling);
        assertThat(ExponentialCeiling.millis(1, Long.MAX_VALUE, 64)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aCapOfTenYearsIsReached() {
        Backoff backoff = Backoff.exponential(TEN_YEARS, TEN_YEARS);
        assertThat(backoff.delayAfter(1, LARGEST)).isEqualTo(TEN_YEARS);
        assertThat(backoff.delayAfter(Integer.MAX_VALUE, LARGEST)).isEqualTo(TEN_YEARS);
    }

    @Test
    void boundsAreRefusedWithValueAndRange() {
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofMillis(-1), TEN_YEARS))
                .hasMessageContainingAll("backoff base PT-0.001S", "PT0S to PT87600H");
        assertThatThrownBy(() -> Backoff.exponential(TEN_YEARS.plusNanos(1), TEN_YEARS))
                .hasMessageContaining("backoff base");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContainingAll("backoff cap PT1S", "PT2S to PT87600H");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, TEN_YEARS.plusNanos(1)))
                .hasMessageContaining("backoff cap");
        assertThatThrownBy(() -> Backoff.exponential(null, TEN_YEARS)).hasMessageContaining("backoff base is null");
        assertThatThrownBy(() -> Backoff.fixed(Duration.ofMillis(-1))).hasMessageContaining("backoff delay PT-0.001S");
        assertThatThrownBy(() -> Backoff.fixed(TEN_YEARS.plusNanos(1))).hasMessageContaining("backoff delay");
    }

    @Test
    void fixedIsFixed() {
        Backoff backoff = Backoff.fixed(Duration.ofSeconds(3));
        assertThat(backoff.delayAfter(1, LARGEST)).isEqualTo(Duration.ofSeconds(3));
        assertThat(backoff.delayAfter(99, LARGEST)).isEqualTo(Duration.ofSeconds(3));
    }
}
