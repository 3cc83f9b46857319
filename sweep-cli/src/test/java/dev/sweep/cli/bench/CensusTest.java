package dev.sweep.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CensusTest {

    private static final Census BEFORE = new Census(7, 100);

    @Test
    void countsThatFitAreFine() {
        assertThat(new Census(2, 110).faultSince(BEFORE, 5, 10)).isEmpty();
    }

    @Test
    void tasksThatWereLostOrDoneTwiceAreTold() {
        assertThat(new Census(1, 110).faultSince(BEFORE, 5, 10))
                .hasValueSatisfying(fault -> assertThat(fault)
                        .contains("10 tasks have succeeded and 1 wait or run, but it must be 10 and 2"));
        assertThat(new Census(2, 109).faultSince(BEFORE, 5, 10)).isPresent();
        assertThat(new Census(2, 111).faultSince(BEFORE, 5, 10)).isPresent();
        assertThat(new Census(3, 109).faultSince(BEFORE, 5, 10)).isPresent();
    }
}
