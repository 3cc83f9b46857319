package dev.sweep.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CensusTest {

    private static final Census BEFORE = new Census(7, 100L);

    @Test
    void countsThatFitAreFine() {
        assertThat(new Census(2, 110L).faultSince(BEFORE, 5, 10)).isEmpty();
    }

    @Test
    void tasksThatWereLostOrDoneTwiceAreTold() {
        assertThat(new Census(1, 110L).faultSince(BEFORE, 5, 10))
                .hasValueSatisfying(fault -> assertThat(fault)
                        .contains("10 tasks have succeeded and 1 wait or run, but it must be 10 and 2"));
        assertThat(new Census(2, 109L).faultSince(BEFORE, 5, 10)).isPresent();
        assertThat(new Census(2, 111L).faultSince(BEFORE, 5, 10)).isPresent();
        assertThat(new Census(3, 109L).faultSince(BEFORE, 5, 10)).isPresent();
    }

    @Test
    void whereEndedTasksAreDeletedTheOpenOnesMustFit() {
        Census before = Census.ofOpen(7);

        assertThat(Census.ofOpen(2).faultSince(before, 5, 10)).isEmpty();
        assertThat(Census.ofOpen(1).faultSince(before, 5, 10))
                .hasValueSatisfying(fault -> assertThat(fault).contains("1 tasks wait or run, but it must be 2"));
        assertThat(Census.ofOpen(3).faultSince(before, 5, 10)).isPresent();
    }
}
