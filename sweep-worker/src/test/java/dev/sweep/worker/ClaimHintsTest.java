package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimHintsTest {

    private static final Optional<Duration> NOTHING_DUE = Optional.empty();
    private static final long NOW = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    private final ClaimHints hints = new ClaimHints();

    @Test
    void nothingIsDueWithoutAHint() {
        assertThat(hints.areDue(NOW)).isFalse();
        assertThat(hints.nanosLeft(NOW)).isEqualTo(Long.MAX_VALUE);
        assertThat(hints.take()).isEmpty();
    }

    @Test
    void whoFindsTasksLooksWithinAMilli() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(delayOfNext()).isLessThanOrEqualTo(MILLI);
            answered(true, NOTHING_DUE);
        }
    }

    @Test
    void whoComesInVainIsMorePatientUpToABound() {
        long longest = 0;
        for (int i = 0; i < 1_000; i++) {
            longest = Math.max(longest, delayOfNext());
            answered(false, NOTHING_DUE);
        }
        assertThat(longest).isBetween(100 * MILLI, 200 * MILLI);

        for (int i = 0; i < 4; i++) {
            assertThat(delayOfNext()).isGreaterThanOrEqualTo(MILLI);
            answered(true, NOTHING_DUE);
        }
        assertThat(delayOfNext()).isLessThanOrEqualTo(MILLI);
    }

    @Test
    void pollsThatFindNothingMakeNobodyPatient() {
        for (int i = 0; i < 100; i++) {
            hints.take();
            hints.answered(false, NOTHING_DUE, NOW);
        }
        assertThat(delayOfNext()).isLessThanOrEqualTo(MILLI);
    }

    @Test
    void aTaskThatIsDueSoonerThanAnyBeforeIsNotInVain() {
        for (int seconds = 1_000; seconds > 0; seconds--) {
            assertThat(delayOfNext()).isLessThanOrEqualTo(MILLI);
            answered(false, Optional.of(Duration.ofSeconds(seconds)));
        }
        for (int i = 0; i < 20; i++) {
            delayOfNext();
            answered(false, Optional.of(Duration.ofSeconds(1)));
        }
        assertThat(hints.take()).isEmpty();
    }

    @Test
    void hintsGatherUntilTheyAreTaken() {
        hints.add("a");
        assertThat(hints.areDue(NOW + hints.nanosLeft(NOW))).isIn(true, false);
        hints.add("b");
        hints.add("a");
        assertThat(hints.take()).containsExactlyInAnyOrder("a", "b");
        assertThat(hints.take()).isEmpty();
        assertThat(hints.areDue(NOW)).isFalse();
    }

    /** How long the next hint waits; it is due then, and not before. */
    private long delayOfNext() {
        hints.add("q");
        long delay = hints.areDue(NOW) ? 0 : hints.nanosLeft(NOW);
        if (delay > 0) {
            assertThat(hints.areDue(NOW + delay - 1)).isFalse();
        }
        assertThat(hints.areDue(NOW + delay)).isTrue();
        return delay;
    }

    private void answered(boolean hasTasks, Optional<Duration> nextDueIn) {
        assertThat(hints.take()).containsExactly("q");
        hints.answered(hasTasks, nextDueIn, NOW);
    }
}
