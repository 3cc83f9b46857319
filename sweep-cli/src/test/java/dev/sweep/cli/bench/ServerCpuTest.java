package dev.sweep.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerCpuTest {

    @Test
    void processesThatCameOrWentMeanwhileAreCountedOnceAndOnlyForThatTime() {
        // 1 stays, 2 ends with 30 in all, 3 comes with 7, 4 comes and ends with 5.
        ServerCpu.Reading before = new ServerCpu.Reading(Map.of(1L, 100L, 2L, 20L), 0, 1_000);
        ServerCpu.Reading after = new ServerCpu.Reading(Map.of(1L, 140L, 3L, 7L), 0, 1_000 + 30 + 5);

        assertThat(after.clientNanosSince(before)).isEqualTo(40 + 10 + 7 + 5);
    }

    @Test
    void theShareOfTheMachineLeavesOutWaitingForTheDisk() {
        MachineCpu before = MachineCpu.of("cpu  10 0 10 100 20 0 0 0 5 0\ncpu0 1 2 3\n");
        MachineCpu after = MachineCpu.of("cpu  40 0 20 140 40 0 0 0 9 0\ncpu0 1 2 3\n");

        assertThat(after.percentSince(before)).isEqualTo(40);
    }
}
