package dev.sweep.maintenance;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One measure of an installation at one moment, in the terms of Prometheus.
 *
 * @param name as in the metrics, the unit at its end
 * @param help what it says, in one sentence
 * @param samples one each value of the labels; a bounded number
 */
public record Gauge(String name, String help, List<Sample> samples) {

    /**
     * One value.
     *
     * @param labels by name; always {@code schema}, which tells installations apart
     * @param value a finite number
     */
    public record Sample(Map<String, String> labels, double value) {

        public Sample {
            labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        }
    }

    public Gauge {
        samples = List.copyOf(samples);
    }
}
