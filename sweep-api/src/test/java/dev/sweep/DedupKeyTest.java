package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DedupKeyTest {

    private final DedupKey key = DedupKey.of("welcome:42");

    @Test
    void holdsUntilRetentionUnlessToldOtherwise() {
        assertThat(key.scope()).isEqualTo(new DedupScope.UntilRetention());
        assertThat(key.untilFinished()).isEqualTo(new DedupKey("welcome:42", new DedupScope.UntilFinished()));
        assertThat(key.window(Duration.ofHours(1)))
                .isEqualTo(new DedupKey("welcome:42", new DedupScope.Window(Duration.ofHours(1))));
        assertThat(key.scope()).isEqualTo(new DedupScope.UntilRetention());
    }

    @Test
    void aWindowIsOneMillisecondToTenYears() {
        assertThat(key.window(Duration.ofMillis(1)).scope()).isEqualTo(new DedupScope.Window(Duration.ofMillis(1)));
        assertThat(key.window(Duration.ofDays(3650)).scope()).isEqualTo(new DedupScope.Window(Duration.ofDays(3650)));
        for (Duration beyond : new Duration[] {
            Duration.ZERO,
            Duration.ofNanos(999_999),
            Duration.ofMillis(-1),
            Duration.ofDays(3650).plusNanos(1)
        }) {
            assertThatThrownBy(() -> key.window(beyond))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageContainingAll("dedup window " + beyond, "PT0.001S to PT87600H");
        }
    }

    @Test
    void nullsAreRefused() {
        assertThatThrownBy(() -> key.window(null)).hasMessageContaining("dedup window is null");
        assertThatThrownBy(() -> new DedupKey("k", null)).hasMessageContaining("dedup scope is null");
    }
}
