package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TaskIdTest {

    @Test
    void isOrderedAndWrittenAsItsNumber() {
        assertThat(TaskId.of(9)).isLessThan(TaskId.of(10)).hasToString("9");
    }

    @Test
    void isPositive() {
        for (long value : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> TaskId.of(value))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageContainingAll("task id " + value, "not positive", "enqueue");
        }
    }
}
