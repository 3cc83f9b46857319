package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.maintenance.Doctor;
import dev.sweep.maintenance.Finding;
import dev.sweep.maintenance.Gauge;
import dev.sweep.maintenance.Gauges;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Holds docs/operating.md against what the doctor and the gauges say. */
class OperatingDocsIT {

    private static final DocPage PAGE = DocPage.read("docs/operating.md");
    private static final Pattern METRIC = Pattern.compile("\\bsweep_[a-z_]+\\b");

    @RegisterExtension
    static final Database db = Database.named("operating_docs");

    @Test
    void everyCheckHasItsRunbookAndEveryRunbookItsCheck() {
        List<String> headings = PAGE.text()
                .lines()
                .dropWhile(line -> !line.equals("## Runbook"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("### "))
                .map(line -> line.substring(4))
                .toList();

        Set<String> checks = Doctor.of(db.store).examine().findings().stream()
                .map(Finding::check)
                .collect(Collectors.toSet());

        assertThat(headings).containsExactlyInAnyOrderElementsOf(checks);
    }

    @Test
    void everyMetricIsListedAndEveryAlertUsesOne() {
        List<String> metrics =
                Gauges.of(db.store).read().stream().map(Gauge::name).toList();

        assertThat(PAGE.table("| metric | says |").stream().map(row -> row.get(0)))
                .containsExactlyElementsOf(metrics);
        Set<String> alerted = new TreeSet<>();
        PAGE.blocks("yaml")
                .forEach(block ->
                        METRIC.matcher(block).results().map(MatchResult::group).forEach(alerted::add));
        assertThat(alerted).isNotEmpty().isSubsetOf(metrics);
    }

    @Test
    void theStatementThatPutsOrphansBackDoesSo() {
        db.enqueueBySql("'t', '{}', priority => 4");
        Object id = db.query("delete from sweep.task_ready returning id").get(0);

        db.execute(PAGE.section("### orphans").blocks("sql").get(0));

        assertThat(db.query("select id from sweep.task_ready where rank = 6")).containsExactly(id);
    }

    @Test
    void theStatementsForOtherExportersRun() {
        DocPage section = PAGE.section("## Metrics and alerts");
        // Several statements in one text run one after the other.
        section.blocks("sql").forEach(db::execute);
        assertThat(section.blocks("sql")).isNotEmpty();
    }
}
