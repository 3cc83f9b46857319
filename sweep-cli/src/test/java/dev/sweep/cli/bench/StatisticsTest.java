package dev.sweep.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {

    @Test
    void medianOfAnOddNumberIsTheMiddleOne() {
        assertThat(Statistics.of(List.of(9.0, 1.0, 5.0)).median()).isEqualTo(5);
    }

    @Test
    void medianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
        assertThat(Statistics.of(List.of(9.0, 1.0, 5.0, 6.0)).median()).isEqualTo(5.5);
    }

    @Test
    void spreadReachesFromTheLeastToTheLargest() {
        Statistics values = Statistics.of(List.of(3.0, -1.0, 2.0));

        assertThat(values.min()).isEqualTo(-1);
        assertThat(values.max()).isEqualTo(3);
    }

    @Test
    void percentileIsTheLeastValueThatSoManyDoNotExceed() {
        Statistics hundred = Statistics.of(
                IntStream.rangeClosed(1, 100).mapToObj(Double::valueOf).toList());

        assertThat(hundred.percentile(0.50)).isEqualTo(50);
        assertThat(hundred.percentile(0.95)).isEqualTo(95);
        assertThat(hundred.percentile(0.991)).isEqualTo(100);
        assertThat(hundred.percentile(1)).isEqualTo(100);
        assertThat(Statistics.of(List.of(7.0)).percentile(0.01)).isEqualTo(7);
    }

    @Test
    void nothingAndNoShareAreRefused() {
        assertThatThrownBy(() -> Statistics.of(List.of())).hasMessageContaining("no values");
        assertThatThrownBy(() -> Statistics.of(List.of(1.0)).percentile(0))
                .hasMessageContaining("percentile 0.0 is out of range");
    }
}
