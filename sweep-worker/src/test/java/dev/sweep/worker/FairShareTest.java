package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairShareTest {

    @Test
    void itIsTheShareOfTheClaimsThatFollowABacklog() {
        FairShare fair = new FairShare(0.05);

        long even = IntStream.range(0, 1_000).filter(i -> fair.nextIsEven(true)).count();

        assertThat(even).isBetween(49L, 51L);
    }

    @Test
    void withoutABacklogOrAShareNoClaimIsEven() {
        FairShare fair = new FairShare(1);
        FairShare strict = new FairShare(0);

        assertThat(IntStream.range(0, 100).anyMatch(i -> fair.nextIsEven(false)))
                .isFalse();
        assertThat(IntStream.range(0, 100).anyMatch(i -> strict.nextIsEven(true)))
                .isFalse();
    }
}
