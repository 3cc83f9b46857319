package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What chores keep from run to run as text. */
class KeptTextTest {

    @Test
    void aWalkIsReadBackAsItWasKept() {
        OutcomeWalk walk = OutcomeWalk.START.on(77, 0, null).on(99, 2, "80, 81").on(120, 1, "119");
        assertThat(walk).isEqualTo(new OutcomeWalk(120, 3, "80, 81"));
        assertThat(OutcomeWalk.parse(walk.toString())).isEqualTo(walk);
        assertThat(OutcomeWalk.parse(OutcomeWalk.START.toString())).isEqualTo(OutcomeWalk.START);
    }

    @Test
    void aWalkThatSomeoneElseWroteStartsOver() {
        assertThat(OutcomeWalk.parse("k02000")).isEqualTo(OutcomeWalk.START);
        assertThat(OutcomeWalk.parse("a b c")).isEqualTo(OutcomeWalk.START);
    }

    @Test
    void sizesOfRebuiltIndexesAreReadBackAsTheyWereKept() {
        RebuiltSizes sizes = RebuiltSizes.NONE.with("sweep.a", 8_192).with("\"Sweep B\".b", 16_384);
        assertThat(RebuiltSizes.parse(sizes.toString())).isEqualTo(sizes);
        assertThat(RebuiltSizes.parse("nonsense\n\n12")).isEqualTo(RebuiltSizes.NONE);
    }

    @Test
    void anIndexIsRebuiltAgainOnlyWhenItHasGrownToTwiceItsSize() {
        RebuiltSizes sizes = RebuiltSizes.NONE.with("a", 100);
        assertThat(sizes.hasGrown("a", 200)).isFalse();
        assertThat(sizes.hasGrown("a", 201)).isTrue();
        assertThat(sizes.hasGrown("b", 1)).isTrue();
    }
}
