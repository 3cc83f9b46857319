package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void escapesThatATerminalWouldObeyBecomeVisible() {
        assertThat(Printable.of("\u001b[31mred\u001b[0m")).isEqualTo("\\u001b[31mred\\u001b[0m");
        assertThat(Printable.of("bell\u0007 back\b c1\u009b2J del\u007f"))
                .isEqualTo("bell\\u0007 back\\u0008 c1\\u009b2J del\\u007f");
    }

    @Test
    void linesBecomeOneLine() {
        assertThat(Printable.of("a\r\nb\tc\u2028d")).isEqualTo("a\\r\\nb\\tc\\u2028d");
    }

    @Test
    void directionMarksAndLoneSurrogatesBecomeVisible() {
        assertThat(Printable.of("a\u202eb\u2066c\u200bd")).isEqualTo("a\\u202eb\\u2066c\\u200bd");
        assertThat(Printable.of("x\ud83dy\ude00")).isEqualTo("x\\ud83dy\\ude00");
    }

    @Test
    void ordinaryTextStaysAsItIs() {
        String text = "Gr\u00fc\u00dfe, \u65e5\u672c\u8a9e, \ud83d\ude00 <b>\\n";

        assertThat(Printable.of(text)).isEqualTo(text);
    }

    @Test
    void longTextIsCutToItsWidthAndShowsIt() {
        assertThat(Printable.of("0123456789", 10)).isEqualTo("0123456789");
        assertThat(Printable.of("0123456789a", 10)).isEqualTo("0123456...");
        assertThat(Printable.of("\u001b\u001b\u001b\u001b", 10)).hasSize(10).doesNotContain("\u001b");
    }
}
