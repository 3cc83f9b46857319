package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorTextTest {

    @Test
    void plainTextIsKept() {
        assertThat(ErrorText.storable("no route to h\u00f6st \ud83d\ude80"))
                .isEqualTo("no route to h\u00f6st \ud83d\ude80");
        assertThat(ErrorText.storable("")).isEmpty();
    }

    @Test
    void whatTextCanNotHoldIsReplaced() {
        assertThat(ErrorText.storable("a\0b\ud83dc\ude80d\ud83d")).isEqualTo("a\ufffdb\ufffdc\ufffdd\ufffd");
    }

    @Test
    void longTextIsCutBetweenCharactersNotWithinOne() {
        assertThat(ErrorText.storable("x".repeat(20_000))).isEqualTo("x".repeat(10_000));
        assertThat(ErrorText.storable("x" + "\ud83d\ude80".repeat(9_000)))
                .isEqualTo("x" + "\ud83d\ude80".repeat(4_999));
    }
}
