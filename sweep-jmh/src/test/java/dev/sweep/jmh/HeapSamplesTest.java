package dev.sweep.jmh;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HeapSamplesTest {

    @Test
    void heapThatStaysAsItWasIsFlat() {
        assertThatCode(() -> samples(11, 12, 10, 12, 15, 11).requireFlat()).doesNotThrowAnyException();
    }

    @Test
    void heapThatGrowsIsTold() {
        assertThatThrownBy(() -> samples(10, 12, 14, 16, 18, 20).requireFlat())
                .hasMessageStartingWith("the heap grew from 14.0 to 20.0 MiB, which is more than the 4 MiB");
    }

    private static HeapSamples samples(long... mebibytes) {
        HeapSamples samples = new HeapSamples();
        for (long used : mebibytes) {
            samples.add(used << 20);
        }
        return samples;
    }
}
