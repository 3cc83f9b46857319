package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

    private final StringWriter screen = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void terminalShowsOneLineThatDisappears() {
        ProgressLine progress = ProgressLine.of(new PrintWriter(screen), true, nanos::get);

        show(progress, Duration.ofMillis(100), "too early");
        show(progress, Duration.ofMillis(100), "first");
        show(progress, Duration.ofMillis(200), "second\u001b[2J");
        progress.clear();
        progress.clear();

        assertThat(screen).hasToString("\r\u001b[Kfirst\r\u001b[Ksecond\\u001b[2J\r\u001b[K");
    }

    @Test
    void logGetsAtMostThirtyLinesFurtherAndFurtherApart() {
        ProgressLine progress = ProgressLine.of(new PrintWriter(screen), false, nanos::get);

        for (int second = 1; second <= 7; second++) {
            show(progress, Duration.ofSeconds(1), "at " + second);
        }
        assertThat(screen.toString().lines()).containsExactly("at 1", "at 2", "at 3", "at 4", "at 5", "at 6");

        for (int second = 8; second <= 10_000; second++) {
            show(progress, Duration.ofSeconds(1), "at " + second);
        }
        assertThat(screen.toString().lines()).hasSize(30).contains("at 8");
        assertThat(screen.toString()).doesNotContain("\r");
    }

    @Test
    void remarkStaysAndTheLineMovesBelowIt() {
        ProgressLine progress = ProgressLine.of(new PrintWriter(screen), true, nanos::get);

        show(progress, Duration.ofMillis(200), "half");
        progress.remark("said\u001b[2J");
        show(progress, Duration.ofMillis(200), "all");

        assertThat(screen.toString().replace(System.lineSeparator(), "\n"))
                .isEqualTo("\r\u001b[Khalf\r\u001b[Ksaid\\u001b[2J\n\r\u001b[Kall");
    }

    private void show(ProgressLine progress, Duration later, String text) {
        nanos.addAndGet(later.toNanos());
        progress.show(() -> text);
    }
}
