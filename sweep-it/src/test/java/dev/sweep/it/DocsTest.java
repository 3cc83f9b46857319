package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.event.TaskEvent;
import dev.sweep.maintenance.MaintenanceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be checked of the documentation without a database. */
class DocsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern TEST_NAME = Pattern.compile("`([A-Z]\\w+(?:IT|Test|Contract|Properties))\\b");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    @ParameterizedTest
    @MethodSource("pages")
    void linksWithinTheProjectLeadSomewhere(Path page) throws IOException {
        String text = Files.readString(page);

        List<String> dead = LINK.matcher(text)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.contains("://"))
                .filter(link -> !leadsSomewhere(page, link))
                .toList();

        assertThat(dead).isEmpty();
    }

    @Test
    void everyEventIsDescribedWithItsFields() {
        assertDescribed("| event | other fields | when |", TaskEvent.class);
        assertDescribed("| maintenance event | other fields | when |", MaintenanceEvent.class);
    }

    private static void assertDescribed(String header, Class<?> events) {
        assertThat(DocPage.read("docs/concepts.md").table(header))
                .extracting(row -> row.get(0) + ": " + row.get(1))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(events.getPermittedSubclasses())
                        .map(event -> event.getSimpleName() + ": " + fieldsOf(event))
                        .toList());
    }

    @Test
    void everyNegativeControlIsListedWithWhatCatchesIt() {
        assertThat(DocPage.read("docs/reliability.md").table("| what is broken | which test catches it |"))
                .isEqualTo(NegativeControlsIT.controls().stream()
                        .map(control ->
                                List.of(control.broken(), control.guard().name()))
                        .toList());
    }

    @Test
    void testsThatProveAPromiseAreThere() throws IOException {
        Set<String> sources;
        try (Stream<Path> files = Files.walk(DocPage.ROOT)) {
            sources = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".java"))
                    .collect(Collectors.toSet());
        }
        assertThat(TEST_NAME
                        .matcher(DocPage.read("docs/reliability.md").text())
                        .results()
                        .map(name -> name.group(1) + ".java"))
                .isNotEmpty()
                .allMatch(sources::contains);
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(DocPage.ROOT);
                Stream<Path> docs = Files.walk(DocPage.ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static String fieldsOf(Class<?> event) {
        return Arrays.stream(event.getRecordComponents())
                .map(component -> component.getName())
                .filter(name -> !name.equals("worker") && !name.equals("maintenance"))
                .collect(Collectors.joining(", "));
    }

    private static boolean leadsSomewhere(Path page, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file);
        return Files.exists(target) && (hash < 0 || anchors(target).anyMatch(link.substring(hash + 1)::equals));
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Stream<String> anchors(Path page) {
        return HEADING.matcher(
                        DocPage.read(DocPage.ROOT.relativize(page.normalize()).toString())
                                .text())
                .results()
                .map(DocsTest::anchor);
    }

    private static String anchor(MatchResult heading) {
        return heading.group(1)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{Alnum} _-]", "")
                .replace(' ', '-');
    }
}
