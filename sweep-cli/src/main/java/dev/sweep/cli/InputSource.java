package dev.sweep.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** What an option names as input: a file, or {@code -} for stdin. */
final class InputSource {

    private static final String STDIN = "-";

    private InputSource() {}

    /** Opens the file or stdin. */
    static InputStream open(String name) throws IOException {
        if (name.equals(STDIN)) {
            return System.in;
        }
        try {
            Path path = Path.of(name);
            if (!Files.isReadable(path) || Files.isDirectory(path)) {
                throw CliException.badInput("there is no file '" + name + "' that can be read");
            }
            return Files.newInputStream(path);
        } catch (InvalidPathException noPath) {
            throw new CliException(ExitCode.BAD_INPUT, "'" + name + "' is not a path", noPath);
        }
    }

    /** The payload that is given as text, as {@code @FILE}, or as {@code -} for stdin. */
    static String ofPayload(String given) throws IOException {
        if (!given.equals(STDIN) && !given.startsWith("@")) {
            return given;
        }
        String name = given.equals(STDIN) ? STDIN : given.substring(1);
        try (InputStream input = open(name)) {
            byte[] bytes = input.readNBytes(TaskLines.MAX_LINE_BYTES + 1);
            if (bytes.length > TaskLines.MAX_LINE_BYTES) {
                throw CliException.badInput("the payload in '" + name + "' is longer than " + TaskLines.MAX_LINE_BYTES
                        + " bytes; store large data elsewhere and its address in the payload");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new CliException(ExitCode.BAD_INPUT, "the payload in '" + name + "' is not UTF-8", malformed);
        }
    }
}
