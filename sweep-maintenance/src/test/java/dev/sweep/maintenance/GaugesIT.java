package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.testing.PostgresServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the gauges measure, read back from the text that Prometheus would read. */
class GaugesIT {

    private static final Pattern SAMPLE =
            Pattern.compile("([a-z_]+)\\{((?:[a-z_]+=\"(?:[^\"\\\\\\n]|\\\\.)*\",?)*)\\} (-?[0-9.]+)");

    private Patient patient;

    @BeforeEach
    void install() {
        patient = new Patient(PostgresServer.shared());
    }

    @AfterEach
    void uninstall() {
        patient.close();
    }

    @Test
    void measureWhatIsThere() {
        patient.execute("select sweep.enqueue_task('t', '{}') from generate_series(1, 3)");
        patient.execute("select sweep.cancel_task(min(id)) from sweep.task_ready");
        patient.execute("insert into sweep.maintenance_chore (name, succeeded_at, failures)"
                + " values ('purge', now() - interval '90 seconds', 4)");
        patient.execute("insert into sweep.worker (id, host, pid, version, slots, listening, queues, types)"
                + " values ('w', 'h', 1, '1', 1, 'yes', '{default}', '{other}')");
        PartitionManager.of(patient.store).enable(CalendarPeriod.WEEK);

        Map<String, Double> samples = parsed(text());

        assertThat(samples)
                .containsEntry("sweep_tasks status=pending", 2.0)
                .containsEntry("sweep_tasks status=cancelled", 1.0)
                .containsEntry("sweep_tasks status=failed", 0.0)
                .containsEntry("sweep_unknown_type_tasks", 2.0)
                .containsEntry("sweep_workers_alive", 1.0)
                .containsEntry("sweep_lapsed_leases", 0.0)
                .containsEntry("sweep_dead_letters", 0.0)
                .containsEntry("sweep_chore_failures chore=purge", 4.0)
                .containsEntry("sweep_partition_runway_periods", 4.0)
                .containsEntry("sweep_stragglers", 0.0)
                .containsEntry("sweep_gauges_unreadable", 0.0)
                .containsKeys(
                        "sweep_oldest_due_age_seconds queue=default",
                        "sweep_horizon_age_seconds",
                        "sweep_dead_rows table=task_ready",
                        "sweep_table_bytes table=task_running");
        assertThat(samples.get("sweep_chore_success_age_seconds chore=purge")).isGreaterThanOrEqualTo(90);
        assertThat(samples.get("sweep_partition_runway_seconds")).isGreaterThan(4 * 7 * 86400.0);
    }

    @Test
    void withoutPartitionsThereIsNoRunway() {
        assertThat(parsed(text()).keySet()).noneMatch(name -> name.contains("runway"));
    }

    /** Case B91: what producers make up does not become samples. */
    @Test
    void manyQueuesAndTypesMakeFewSamples() {
        patient.execute(
                "select sweep.enqueue_task('type-' || n, '{}', queue => 'queue-' || n, dedup_key => 'key-' || n)"
                        + " from generate_series(1, 60) n");
        long few = parsed(text()).size();
        patient.execute(
                "select sweep.enqueue_task('type-' || n, '{}', queue => 'queue-' || n, dedup_key => 'key-' || n)"
                        + " from generate_series(61, 300) n");

        assertThat(parsed(text())).hasSize((int) few).containsKey("sweep_oldest_due_age_seconds queue=(other)");
        assertThat(text()).doesNotContain("type-", "key-");
    }

    @Test
    void labelsThatNeedItAreEscaped() {
        patient.execute("select sweep.enqueue_task('t', '{}', queue => E'a\"b\\\\c\\nd')");

        assertThat(text()).contains("queue=\"a\\\"b\\\\c\\nd\"");
    }

    @Test
    void everyGaugeIsDeclaredOnceBeforeItsSamples() {
        List<String> names =
                Gauges.of(patient.store).read().stream().map(Gauge::name).toList();

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.startsWith("sweep_"));
        assertThat(text().lines().filter(line -> line.startsWith("# TYPE ")))
                .containsExactlyElementsOf(
                        names.stream().map(name -> "# TYPE " + name + " gauge").toList());
    }

    @Test
    void oneThatCanNotBeReadIsLeftOutAndCounted() {
        patient.execute("drop table sweep.dead_letter cascade");

        Map<String, Double> samples = parsed(text());

        assertThat(samples).containsEntry("sweep_gauges_unreadable", 1.0).doesNotContainKey("sweep_dead_letters");
    }

    private String text() {
        return Gauges.prometheusText(Gauges.of(patient.store).read());
    }

    /** Samples by name and labels, the schema's apart, which all have. */
    private Map<String, Double> parsed(String text) {
        Map<String, Double> samples = new HashMap<>();
        assertThat(text).endsWith("\n");
        for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            String schema = "schema=\"" + patient.schema + "\"";
            assertThat(sample.group(2)).contains(schema);
            String labels = sample.group(2)
                    .replace(schema, "")
                    .replace("\"", "")
                    .replace(",", " ")
                    .strip();
            String name = labels.isEmpty() ? sample.group(1) : sample.group(1) + " " + labels;
            assertThat(samples.put(name, Double.valueOf(sample.group(3))))
                    .as(name)
                    .isNull();
        }
        return samples;
    }
}
