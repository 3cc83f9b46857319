package dev.sweep.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** The numbers of one run, on one machine, by their names. */
record Results(Map<Metric, Double> numbers) {

    private static final String PACKAGE = Results.class.getPackageName() + ".";

    Results {
        numbers = Map.copyOf(numbers);
    }

    /** Of a file as JMH writes it. */
    static Results read(Path jmhResult) throws IOException {
        Map<Metric, Double> numbers = new HashMap<>();
        for (JsonNode result : new JsonMapper().readTree(jmhResult.toFile())) {
            String benchmark = result.get("benchmark").asText().substring(PACKAGE.length());
            Map<String, String> params = new HashMap<>();
            result.path("params")
                    .properties()
                    .forEach(
                            param -> params.put(param.getKey(), param.getValue().asText()));
            result.get("secondaryMetrics")
                    .properties()
                    .forEach(metric -> numbers.put(
                            new Metric(benchmark, params, metric.getKey()),
                            metric.getValue().get("score").asDouble()));
        }
        return new Results(numbers);
    }

    OptionalDouble of(Metric metric) {
        Double number = numbers.get(metric);
        return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
    }

    /** Whether every server of the run kept what it committed. */
    boolean areDurable() {
        return numbers.entrySet().stream()
                .filter(number -> number.getKey().name().equals(CostProfiler.DURABLE))
                .allMatch(number -> number.getValue() == 1);
    }

    /** With those of another part of the run. */
    Results and(Results others) {
        Map<Metric, Double> all = new HashMap<>(numbers);
        all.putAll(others.numbers);
        return new Results(all);
    }
}
