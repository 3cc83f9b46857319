package dev.sweep.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Reads what a program prints until it ends: hands on each line and keeps the last bytes. Never holds more than one long
 * line. The tail may be asked for by another thread while the program still prints.
 */
final class OutputTail {

    static final int TAIL_BYTES = 4_096;
    private static final int LONGEST_LINE_BYTES = 8_192;

    private final Consumer<String> lines;
    private final byte[] tail = new byte[TAIL_BYTES];
    private final byte[] line = new byte[LONGEST_LINE_BYTES];
    private int lineLength;
    private long total;

    OutputTail(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Reads to the end; a program that is killed ends its output anyhow. */
    void drain(InputStream output) {
        byte[] buffer = new byte[4_096];
        try (output) {
            for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    take(buffer[i]);
                }
            }
        } catch (IOException closed) {
            // The program is gone; what it printed before is here.
        }
        endLine();
    }

    /** The end of what was printed so far, without the white space around it. */
    synchronized String tail() {
        int length = (int) Math.min(total, TAIL_BYTES);
        byte[] inOrder = new byte[length];
        for (int i = 0; i < length; i++) {
            inOrder[i] = tail[(int) ((total - length + i) % TAIL_BYTES)];
        }
        return new String(inOrder, StandardCharsets.UTF_8).strip();
    }

    private synchronized void take(byte next) {
        tail[(int) (total++ % TAIL_BYTES)] = next;
        if (next == '\n') {
            endLine();
            return;
        }
        if (lineLength == LONGEST_LINE_BYTES) {
            endLine();
        }
        line[lineLength++] = next;
    }

    private synchronized void endLine() {
        if (lineLength > 0) {
            lines.accept(new String(line, 0, lineLength, StandardCharsets.UTF_8).stripTrailing());
            lineLength = 0;
        }
    }
}
