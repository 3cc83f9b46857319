package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class BackoffProperties {

    private static final long LONGEST = Duration.ofDays(3650).toMillis();

    @Property
    void theDelayLiesBetweenZeroAndTheCap(
            @ForAll @LongRange(max = 315_360_000_000L) long one,
            @ForAll @LongRange(max = 315_360_000_000L) long other,
            @ForAll @IntRange(min = 1) int failures,
            @ForAll long seed) {
        Duration cap = Duration.ofMillis(Math.max(one, other));
        Backoff backoff = Backoff.exponential(Duration.ofMillis(Math.min(one, other)), cap);

        assertThat(backoff.delayAfter(failures, new Random(seed))).isBetween(Duration.ZERO, cap);
    }

    @Property
    void theCeilingNeverFallsFromOneFailureToTheNext(
            @ForAll @LongRange(max = 315_360_000_000L) long base, @ForAll @IntRange(min = 1, max = 200) int failures) {
        assertThat(ExponentialCeiling.millis(base, LONGEST, failures + 1))
                .isGreaterThanOrEqualTo(ExponentialCeiling.millis(base, LONGEST, failures));
    }
}
