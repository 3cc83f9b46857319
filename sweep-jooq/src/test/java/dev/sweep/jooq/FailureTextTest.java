package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FailureTextTest {

    @Test
    void replacesWhatPostgresCantHoldAndKeepsTheRest() {
        assertThat(FailureText.message("bad\0byte \uD83D lone, low \uDE00, pair 😀 é"))
                .isEqualTo("bad\uFFFDbyte \uFFFD lone, low \uFFFD, pair 😀 é");
    }

    @Test
    void cutsAtItsBoundAndNeverThroughAPair() {
        String cut = FailureText.message("x".repeat(7999) + "😀" + "y".repeat(1_000_000));
        assertThat(cut).hasSize(8000).endsWith("\uFFFD");
        assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(cut);
    }
}
