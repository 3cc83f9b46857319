package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemoCountsTest {

    private final DemoCounts expected = DemoCounts.expected(25, new Misfortune(1, 0));

    @Test
    void expectedCountsFollowFromTheNumberOfSignUps() {
        assertThat(expected).isEqualTo(new DemoCounts(25, 101, 2, 100, 2, 1, 25, 25, 25));
    }

    @Test
    void countsThatAreRightHaveNoFaults() {
        DemoResult result = result(expected);

        assertThat(result.faults()).isEmpty();
        assertThat(JsonText.line(result.json()))
                .isEqualTo("{\"enqueued\":101,\"duplicates\":2,\"succeeded\":100,\"retried\":2,\"dead\":1,"
                        + "\"effects\":25,\"exactlyOnce\":true,\"workersKilled\":1,\"seconds\":1.5}");
    }

    @Test
    void secondEffectOfATaskIsAFault() {
        DemoResult result = result(new DemoCounts(25, 101, 2, 100, 2, 1, 26, 25, 25));

        assertThat(result.counted().isExactlyOnce()).isFalse();
        assertThat(result.faults()).anyMatch(fault -> fault.startsWith("effects: 26 in the database"));
    }

    @Test
    void missingEffectIsAFault() {
        DemoResult result = result(new DemoCounts(25, 101, 2, 100, 2, 1, 24, 24, 25));

        assertThat(result.counted().isExactlyOnce()).isFalse();
        assertThat(result.faults()).isNotEmpty();
    }

    @Test
    void everyCountIsCompared() {
        assertThat(result(new DemoCounts(0, 0, 0, 0, 0, 0, 0, 0, 0)).faults()).hasSize(9);
    }

    private DemoResult result(DemoCounts counted) {
        return new DemoResult(counted, expected, 25, 1, Duration.ofMillis(1_500), "select 1");
    }
}
