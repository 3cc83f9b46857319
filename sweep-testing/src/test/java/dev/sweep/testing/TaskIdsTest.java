package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TaskIdsTest {

    private static final Instant TEN_SECONDS_IN = Instant.parse("2020-01-01T00:00:10.9Z");

    @Test
    void firstIdOfASecondIsThatSecond() {
        assertThat(TaskIds.after(0, TEN_SECONDS_IN)).isEqualTo(10L << 22);
    }

    @Test
    void idsOfOneSecondCountUp() {
        assertThat(TaskIds.after(10L << 22, TEN_SECONDS_IN)).isEqualTo((10L << 22) + 1);
    }

    @Test
    void idsGrowThoughTheClockGoesBack() {
        assertThat(TaskIds.after(10L << 22, TEN_SECONDS_IN.minusSeconds(5))).isEqualTo((10L << 22) + 1);
        assertThat(TaskIds.after(0, Instant.parse("2001-01-01T00:00:00Z"))).isEqualTo(1);
    }
}
