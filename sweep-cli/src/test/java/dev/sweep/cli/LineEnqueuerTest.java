package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Sweep;
import dev.sweep.TaskQuery;
import dev.sweep.testing.InMemoryTaskStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineEnqueuerTest {

    private final Sweep sweep = Sweep.create(InMemoryTaskStore.create());
    private final LineEnqueuer roomy = new LineEnqueuer(
            Sweep.builder(InMemoryTaskStore.create())
                    .maxPayloadBytes(2 * LineEnqueuer.FULL_BATCH_CHARS)
                    .build(),
            100,
            ProgressLine.onTerminal(new PrintWriter(Writer.nullWriter())));
    private final LineEnqueuer enqueuer =
            new LineEnqueuer(sweep, 3, ProgressLine.onTerminal(new PrintWriter(Writer.nullWriter())));

    @Test
    void allLinesAreEnqueuedWhateverTheBatches() throws IOException {
        enqueuer.enqueue(lines(tasks(1, 7)));

        assertThat(enqueuer.enqueued()).isEqualTo(7);
        assertThat(enqueuer.duplicates()).isZero();
        assertThat(stored()).isEqualTo(7);
    }

    @Test
    void duplicatesInsideABatchAndBetweenBatchesAreCounted() throws IOException {
        enqueuer.enqueue(lines(tasks(1, 2) + tasks(1, 4) + tasks(4, 4)));

        assertThat(enqueuer.enqueued()).isEqualTo(4);
        assertThat(enqueuer.duplicates()).isEqualTo(3);
        assertThat(stored()).isEqualTo(4);
    }

    @Test
    void wrongLineStoresNothingOfItsBatchAndKeepsEarlierOnes() {
        String text = tasks(1, 4) + "\n\n{\"type\":\"t\",\"payload\":{},\"prio\":3}\n" + tasks(5, 9);

        assertThatThrownBy(() -> enqueuer.enqueue(lines(text)))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("line 7: ")
                .hasMessageContaining("'prio'");
        assertThat(enqueuer.enqueued()).isEqualTo(3);
        assertThat(stored()).isEqualTo(3);
    }

    @Test
    void payloadThatPostgresCannotHoldIsFoundByItsLine() {
        String text = tasks(1, 3) + tasks(4, 4) + "{\"type\":\"t\",\"payload\":\"a\\u0000b\"}\n" + tasks(5, 5);

        assertThatThrownBy(() -> enqueuer.enqueue(lines(text)))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("line 5: ")
                .hasMessageContaining("NUL");
        assertThat(enqueuer.enqueued()).isEqualTo(3);
        assertThat(stored()).isEqualTo(3);
    }

    @Test
    void wrongFirstLineOfABatchIsFoundByItsLine() {
        assertThatThrownBy(() -> enqueuer.enqueue(lines(tasks(1, 3) + "{]\n")))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("line 4: is not JSON");
        assertThat(stored()).isEqualTo(3);
    }

    @Test
    void emptyInputIsNoError() throws IOException {
        enqueuer.enqueue(lines("\n \n"));

        assertThat(enqueuer.enqueued()).isZero();
    }

    @Test
    void longLinesMakeSmallBatches() {
        String half = "x".repeat(LineEnqueuer.FULL_BATCH_CHARS / 2);
        String line = "{\"type\":\"t\",\"payload\":\"" + half + "\"}\n";

        assertThatThrownBy(() -> roomy.enqueue(lines(line.repeat(3) + "nonsense")))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("line 4: ");

        assertThat(roomy.enqueued()).isEqualTo(2);
    }

    private int stored() {
        return sweep.list(TaskQuery.newest()).size();
    }

    private static String tasks(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(i -> "{\"type\":\"t\",\"payload\":{\"i\":" + i + "},\"dedupKey\":\"k" + i + "\"}\n")
                .collect(Collectors.joining());
    }

    private static TaskLines lines(String text) {
        return new TaskLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
