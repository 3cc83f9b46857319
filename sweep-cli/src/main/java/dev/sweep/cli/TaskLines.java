package dev.sweep.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads UTF-8 text line by line with a bound on each, and knows the number of the line. Blank lines are skipped. */
final class TaskLines {

    /** A payload of 1 MiB in which every character is an escape, with room for the rest of the line. */
    static final int MAX_LINE_BYTES = 8 << 20;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final InputStream input;
    private long number;

    TaskLines(InputStream input) {
        this.input = new BufferedInputStream(input, 1 << 16);
    }

    /** The next line that is not blank; empty at the end. */
    Optional<String> next() throws IOException {
        Optional<String> line = read();
        while (line.isPresent() && line.get().isBlank()) {
            line = read();
        }
        return line;
    }

    /** The number of the line that was read last, counted from 1, blank ones included. */
    long number() {
        return number;
    }

    private Optional<String> read() throws IOException {
        int next = input.read();
        if (next < 0) {
            return Optional.empty();
        }
        number++;
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        while (next >= 0 && next != '\n') {
            if (line.size() == MAX_LINE_BYTES) {
                throw CliException.badInput("is longer than " + MAX_LINE_BYTES
                        + " bytes; put one task on a line, and large data elsewhere with its address in the payload");
            }
            line.write(next);
            next = input.read();
        }
        String text = decoded(line.toByteArray());
        return Optional.of(number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    }

    private static String decoded(byte[] line) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new CliException(ExitCode.BAD_INPUT, "is not UTF-8; convert the file, such as with iconv", malformed);
        }
    }
}
