package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TaskLinesTest {

    @Test
    void blankLinesAreSkippedButCounted() throws IOException {
        TaskLines lines = lines("a\n\n  \t\r\nb\r\nlast");

        assertThat(lines.next()).contains("a");
        assertThat(lines.number()).isEqualTo(1);
        assertThat(lines.next()).contains("b\r");
        assertThat(lines.number()).isEqualTo(4);
        assertThat(lines.next()).contains("last");
        assertThat(lines.number()).isEqualTo(5);
        assertThat(lines.next()).isEmpty();
        assertThat(lines.next()).isEmpty();
    }

    @Test
    void byteOrderMarkIsNoText() throws IOException {
        assertThat(lines("\uFEFF{}\n").next()).contains("{}");
    }

    @Test
    void lineThatIsNotUtf8IsRefusedWhereItStands() throws IOException {
        TaskLines lines = new TaskLines(new ByteArrayInputStream(new byte[] {'a', '\n', (byte) 0xC3, '(', '\n'}));

        assertThat(lines.next()).contains("a");
        assertThatThrownBy(lines::next).isInstanceOf(CliException.class).hasMessageContaining("UTF-8");
        assertThat(lines.number()).isEqualTo(2);
    }

    @Test
    void lineWithoutAnEndIsRefusedBeforeItFillsTheMemory() throws IOException {
        byte[] longest = new byte[TaskLines.MAX_LINE_BYTES];
        Arrays.fill(longest, (byte) 'x');
        byte[] tooLong = Arrays.copyOf(longest, longest.length + 1);

        assertThat(new TaskLines(new ByteArrayInputStream(longest)).next()).isPresent();
        TaskLines lines = new TaskLines(new ByteArrayInputStream(tooLong));
        assertThatThrownBy(lines::next)
                .isInstanceOf(CliException.class)
                .hasMessageContaining(Integer.toString(TaskLines.MAX_LINE_BYTES));
    }

    private static TaskLines lines(String text) {
        return new TaskLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
