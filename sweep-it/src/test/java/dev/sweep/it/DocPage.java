package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A page of the documentation, as tests hold it against the code.
 *
 * @param text Markdown
 */
record DocPage(String text) {

    static final Path ROOT =
            Path.of(System.getProperty("sweep.root", "..")).toAbsolutePath().normalize();

    private static final String FENCE = "```";

    /** @param path from the root of the project, such as {@code docs/sql.md} */
    static DocPage read(String path) {
        try {
            return new DocPage(Files.readString(ROOT.resolve(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The content of the code blocks of one language, in order. */
    List<String> blocks(String language) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        for (String line : text.lines().toList()) {
            if (block == null && line.equals(FENCE + language)) {
                block = new StringBuilder();
            } else if (block != null && line.equals(FENCE)) {
                blocks.add(block.toString());
                block = null;
            } else if (block != null) {
                block.append(line).append('\n');
            }
        }
        return blocks;
    }

    /** The text under a heading, to the next heading of any level. */
    DocPage section(String heading) {
        List<String> lines = text.lines().toList();
        int begin = lines.indexOf(heading);
        assertThat(begin).as("the heading " + heading).isNotNegative();
        return new DocPage(String.join(
                "\n",
                lines.subList(begin + 1, lines.size()).stream()
                        .takeWhile(line -> !line.startsWith("#"))
                        .toList()));
    }

    /** The cells of the table whose header row this is, without header and rule; code marks are taken off. */
    List<List<String>> table(String header) {
        return text.lines()
                .dropWhile(line -> !line.equals(header))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(DocPage::cells)
                .toList();
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.substring(1, row.length() - 1).split("\\|", -1))
                .map(cell -> cell.strip().replace("`", ""))
                .toList();
    }
}
