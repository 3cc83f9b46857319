package dev.sweep.maintenance;

import dev.sweep.maintenance.Gauge.Sample;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** Writes gauges in Prometheus' text format 0.0.4. */
final class PrometheusText {

    private PrometheusText() {}

    static String of(List<Gauge> gauges) {
        StringBuilder text = new StringBuilder();
        for (Gauge gauge : gauges) {
            text.append("# HELP ")
                    .append(gauge.name())
                    .append(' ')
                    .append(escaped(gauge.help()))
                    .append('\n');
            text.append("# TYPE ").append(gauge.name()).append(" gauge\n");
            gauge.samples().forEach(sample -> text.append(line(gauge.name(), sample)));
        }
        return text.toString();
    }

    private static String line(String name, Sample sample) {
        String labels = sample.labels().entrySet().stream()
                .map(label -> label.getKey() + "=\"" + escaped(label.getValue()).replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(","));
        return name + "{" + labels + "} " + number(sample.value()) + "\n";
    }

    /** Without an exponent, so that people read it too. */
    private static String number(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\r", " ").replace("\n", "\\n");
    }
}
