package dev.sweep.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StorableTextTest {

    private static final Attempt ATTEMPT = new Attempt(1, TaskId.of(1));

    @Test
    void replacesWhatPostgresCantHoldAndKeepsTheRest() {
        assertThat(StorableText.message("bad\0byte \uD83D lone, low \uDE00, pair 😀 é"))
                .isEqualTo("bad\uFFFDbyte \uFFFD lone, low \uFFFD, pair 😀 é");
        assertThat(StorableText.message("")).isEmpty();
    }

    @Test
    void cutsAtItsBoundAndNeverThroughAPair() {
        String cut = StorableText.message("x".repeat(7999) + "😀" + "y".repeat(1_000_000));
        assertThat(cut).hasSize(8000).endsWith("\uFFFD");
        assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(cut);
    }

    @Test
    void failuresAndCancellationsHoldNothingElse() {
        String odd = "\0".repeat(10_000);

        Failure failure = Failure.forGood(ATTEMPT, Duration.ZERO, odd, odd);
        assertThat(failure.errorClass()).isEqualTo("\uFFFD".repeat(300));
        assertThat(failure.message()).isEqualTo("\uFFFD".repeat(8_000));
        assertThat(new Cancellation(ATTEMPT, Duration.ZERO, odd).reason()).isEqualTo("\uFFFD".repeat(8_000));
    }
}
