package dev.sweep.maintenance;

import dev.sweep.StoreUnavailableException;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import dev.sweep.maintenance.Gauge.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Record;

/**
 * Measures an installation for dashboards and alerts. Reads only, each gauge in a short transaction of its own; what it costs
 * does not grow with the history, and neither does the number of samples: labels are statuses, chores, tables and at most
 * twenty queues. Thread-safe.
 */
public final class Gauges {

    private static final Limits LIMITS = Limits.patient(Duration.ofSeconds(5));
    private static final String VALUE = "value";

    private final StoreDatabase database;
    private final List<GaugeQuery> queries;

    private Gauges(StoreDatabase database) {
        this.database = database;
        this.queries = GaugeQuery.all(database);
    }

    public static Gauges of(JooqTaskStore store) {
        return new Gauges(store.database());
    }

    /**
     * The present values, in a fixed order. A gauge that can't be read is left out, and counted by the last one.
     *
     * @throws StoreUnavailableException if the database can't be reached
     */
    public List<Gauge> read() {
        List<Gauge> gauges = new ArrayList<>();
        int unreadable = 0;
        for (GaugeQuery query : queries) {
            try {
                gauges.add(new Gauge(query.name(), query.help(), samples(query)));
            } catch (RuntimeException problem) {
                if (problem instanceof StoreUnavailableException unavailable && !Findings.hasTimedOut(problem)) {
                    throw unavailable;
                }
                unreadable++;
            }
        }
        gauges.add(new Gauge(
                "sweep_gauges_unreadable",
                "Gauges that could not be read; sweep doctor says why.",
                List.of(new Sample(Map.of("schema", database.schema()), unreadable))));
        return gauges;
    }

    /** As Prometheus reads it: its text format 0.0.4, each line ended. */
    public static String prometheusText(List<Gauge> gauges) {
        return PrometheusText.of(gauges);
    }

    private List<Sample> samples(GaugeQuery query) {
        return database.inTransaction(LIMITS, sql -> {
            sql.execute("set transaction read only");
            sql.execute("set local timezone = 'UTC'; set local datestyle = 'ISO'");
            return sql.fetch(query.sql()).stream()
                    .filter(row -> row.get(VALUE) != null)
                    .map(this::sample)
                    .toList();
        });
    }

    private Sample sample(Record row) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("schema", database.schema());
        for (Field<?> field : row.fields()) {
            if (!field.getName().equals(VALUE)) {
                labels.put(field.getName(), String.valueOf(row.get(field)));
            }
        }
        return new Sample(labels, Objects.requireNonNull(row.get(VALUE, Double.class)));
    }
}
