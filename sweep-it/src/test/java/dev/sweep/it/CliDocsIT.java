package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds docs/cli.md against what the commands say of themselves. */
class CliDocsIT {

    private static final Map<List<String>, String> OUTPUTS = new ConcurrentHashMap<>();
    private static final DocPage PAGE = DocPage.read("docs/cli.md");
    private static final Set<String> BRINGING_A_DATABASE = Set.of("demo", "bench");
    private static final Set<String> TAKING_FILTERS =
            Set.of("cancel", "requeue", "dead requeue", "dead delete", "reprioritise", "reschedule");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");
    private static final Pattern HELP_OPTION = Pattern.compile("(?m)^ {2,6}(?:-[hV], )?(--[a-z][a-z-]*)");
    private static final Pattern HELP_EXIT_CODE = Pattern.compile("(?m)^ {2}(\\d+) {3}");
    private static final Pattern HELP_COMMAND = Pattern.compile("(?m)^ {2}([a-z]+) {2,}[A-Z]");

    @Test
    void everyCommandHasASection() {
        assertThat(commands()).containsExactlyElementsOf(commandsOf("").toList());
    }

    /** As the help lists them; a command that only holds others is told by these. */
    private static Stream<String> commandsOf(String parent) {
        String help = outputOf((parent + " --help").strip().split(" "));
        int list = help.indexOf("Commands:");
        if (list < 0) {
            return Stream.of(parent);
        }
        int end = parent.isEmpty() ? help.indexOf("Exit codes:") : help.indexOf("Examples:");
        return found(HELP_COMMAND, help.substring(list, end)).stream()
                .flatMap(command -> commandsOf((parent + " " + command).strip()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyOptionIsDescribedWhereItBelongs(String command) {
        Set<String> described = options("## " + command);
        described.addAll(options("## Options of all commands"));
        if (!BRINGING_A_DATABASE.contains(command)) {
            described.addAll(options("## Options about the database"));
        }

        if (TAKING_FILTERS.contains(command)) {
            described.addAll(options("## Changes of many tasks"));
        }

        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(found(HELP_OPTION, outputOf((command + " --help").split(" "))));
    }

    @Test
    void everyExitCodeIsDescribed() {
        List<String> described = PAGE.section("## Exit codes").table("| code | means |").stream()
                .map(row -> row.get(0))
                .toList();

        assertThat(described).containsAll(found(HELP_EXIT_CODE, outputOf("--help")));
    }

    static List<String> commands() {
        return PAGE.table("| command | does |").stream()
                .map(row -> row.get(0).replaceAll("\\[([a-z ]+)\\].*", "$1"))
                .toList();
    }

    /** The options in the first column of the tables of a section. */
    private static Set<String> options(String heading) {
        Set<String> options = new TreeSet<>();
        for (String header : List.of("| option | means |", "| option | else | means |")) {
            PAGE.section(heading).table(header).forEach(row -> options.addAll(found(OPTION, row.get(0))));
        }
        return options;
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.groupCount() == 0 ? match.group() : match.group(1))
                .toList();
    }

    /** Asked for more than once, and a process takes its time. */
    private static String outputOf(String... arguments) {
        return OUTPUTS.computeIfAbsent(List.of(arguments), words -> run(arguments));
    }

    /** What the command prints, in a process of its own, as the launcher starts it, but for the second compiler. */
    private static String run(String... arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = Stream.concat(
                        Stream.of(
                                java,
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.sweep.cli.Main"),
                        Stream.of(arguments))
                .toList();
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor())
                    .as("exit code of " + String.join(" ", arguments))
                    .isZero();
            return output;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("sweep " + String.join(" ", arguments) + " did not run", e);
        }
    }
}
