package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PacesTest {

    private static final Duration TENTH = Duration.ofMillis(100);
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void anOutageIsTriedLaterEachTimeUpToTheLongestDelay() {
        Pace pace = new Pace(TENTH, SECOND);

        assertThat(pace.delayAfter(1)).isBetween(Duration.ofMillis(50), TENTH);
        assertThat(pace.delayAfter(3)).isBetween(Duration.ofMillis(200), Duration.ofMillis(400));
        assertThat(pace.delayAfter(Integer.MAX_VALUE)).isBetween(Duration.ofMillis(500), SECOND);
    }

    @Test
    void aBatchDoublesWhileClaimsComeBackFullAndHalvesOtherwise() {
        BatchSize batch = new BatchSize(50, 150);

        batch.claimed(50, 50);
        assertThat(batch.size()).isEqualTo(100);
        batch.claimed(100, 100);
        assertThat(batch.size()).isEqualTo(150);
        batch.claimed(20, 20);
        assertThat(batch.size()).as("full, but less was asked for").isEqualTo(150);
        batch.claimed(150, 149);
        batch.claimed(75, 0);
        assertThat(batch.size()).isEqualTo(50);
    }

    @Test
    void pollsBackOffWhileNothingComesAndAreShortAfterActivity() {
        PollInterval poll = new PollInterval(TENTH, () -> SECOND);

        assertAbout(poll.after(0, Optional.empty(), false), 200);
        assertAbout(poll.after(0, Optional.empty(), false), 400);
        assertAbout(poll.after(0, Optional.empty(), false), 800);
        assertAbout(poll.after(0, Optional.empty(), false), 1_000);
        assertAbout(poll.after(0, Optional.empty(), true), 100);
        assertAbout(poll.after(0, Optional.empty(), false), 200);
        assertAbout(poll.after(3, Optional.empty(), false), 100);
    }

    @Test
    void theNextDueTaskIsLookedForWhenItIsDue() {
        PollInterval poll = new PollInterval(SECOND, () -> SECOND);
        Duration soon = Duration.ofMillis(7);

        assertThat(poll.after(0, Optional.of(soon), false)).isEqualTo(soon);
        assertAbout(poll.after(0, Optional.of(Duration.ofHours(1)), false), 1_000);
    }

    @Test
    void whatIsDueAlreadyAndDidNotComeIsNoReasonToPollWithoutPause() {
        PollInterval poll = new PollInterval(SECOND, () -> SECOND);

        assertAbout(poll.after(0, Optional.of(Duration.ZERO), false), 1_000);
        assertAbout(poll.after(0, Optional.of(Duration.ofSeconds(-5)), false), 1_000);
    }

    /** Such as tasks of other workers' types, due one after the other. */
    @Test
    void aDueTimeAtWhichNothingCameIsNotFollowedByTheNext() {
        PollInterval poll = new PollInterval(SECOND, () -> SECOND);
        Duration atOnce = Duration.ofNanos(1);

        assertThat(poll.after(0, Optional.of(atOnce), false)).isEqualTo(atOnce);
        assertAbout(poll.after(0, Optional.of(atOnce), false), 1_000);
        assertThat(poll.after(0, Optional.of(atOnce), false)).isEqualTo(atOnce);
        assertThat(poll.after(1, Optional.of(atOnce), false)).isEqualTo(atOnce);
    }

    private static void assertAbout(Duration wait, long millis) {
        assertThat(wait.toMillis()).isBetween(millis * 9 / 10 - 1, millis * 11 / 10 + 1);
    }
}
