package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    private static final Duration TEN_YEARS = Duration.ofDays(3650);

    @Test
    void saysWhatTheHandlerSaid() {
        assertThat(Outcome.complete()).isEqualTo(new Outcome.Complete(null));
        assertThat(Outcome.retry("busy")).isEqualTo(new Outcome.Retry("busy", null));
        assertThat(Outcome.retryAfter(Duration.ZERO, "busy"))
                .isEqualTo(new Outcome.Retry("busy", Due.in(Duration.ZERO)));
        assertThat(Outcome.retryAfter(TEN_YEARS, "busy")).isEqualTo(new Outcome.Retry("busy", Due.in(TEN_YEARS)));
        assertThat(Outcome.snooze(Duration.ZERO)).isEqualTo(new Outcome.Snooze(Due.in(Duration.ZERO)));
        assertThat(Outcome.snooze(TEN_YEARS)).isEqualTo(new Outcome.Snooze(Due.in(TEN_YEARS)));
        assertThat(Outcome.fail("no such user")).isEqualTo(new Outcome.Fail("no such user"));
    }

    @Test
    void delaysOutOfRangeAreRefused() {
        for (Duration beyond : new Duration[] {Duration.ofNanos(-1), TEN_YEARS.plusNanos(1)}) {
            assertThatThrownBy(() -> Outcome.retryAfter(beyond, "busy"))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageContainingAll("retry delay " + beyond, "PT0S to PT87600H");
            assertThatThrownBy(() -> Outcome.snooze(beyond))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageContainingAll("delay " + beyond, "PT0S to PT87600H");
        }
    }

    @Test
    void aReasonOrDelayThatIsNeededIsNotNull() {
        assertThatThrownBy(() -> Outcome.retry(null)).hasMessageContaining("retry reason is null");
        assertThatThrownBy(() -> Outcome.fail(null)).hasMessageContaining("fail reason is null");
        assertThatThrownBy(() -> Outcome.snooze(null)).hasMessageContaining("delay is null");
    }
}
