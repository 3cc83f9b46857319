package dev.sweep.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sweep.cli.bench.Bench;
import dev.sweep.cli.bench.BenchPlan;
import dev.sweep.cli.bench.Contender;
import dev.sweep.cli.bench.Contenders;
import dev.sweep.cli.bench.Load;
import dev.sweep.cli.bench.Place;
import dev.sweep.cli.bench.Workload;
import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs, for floors, what {@code sweep bench} runs: contenders in processes of their own, in the same rounds. */
final class EndToEnd {

    /** Begins what a {@link Metric} calls its benchmark; the workload's name follows, the contender is a parameter. */
    private static final String PREFIX = "bench.";

    private static final String CONTENDER = "contender";

    private static final BenchPlan PLAN =
            new BenchPlan(30_000, 10_000, Load.NONE, 1, 0, 1, 100, 3, 1, Duration.ofSeconds(1));

    private EndToEnd() {}

    static boolean has(Metric metric) {
        return metric.benchmark().startsWith(PREFIX);
    }

    static Workload workloadOf(Metric metric) {
        return Workload.named(metric.benchmark().substring(PREFIX.length()));
    }

    static Contender contenderOf(Metric metric) {
        return Contenders.named(metric.params().getOrDefault(CONTENDER, "that it does not name"));
    }

    /**
     * The medians of those workloads and contenders that the metrics are of.
     *
     * @param folder for the result as JSON, and the logs of the processes
     */
    static Results run(Set<Metric> metrics, Path folder) throws IOException, SQLException, InterruptedException {
        List<Metric> ours = metrics.stream().filter(EndToEnd::has).toList();
        if (ours.isEmpty()) {
            return new Results(Map.of());
        }
        try (PostgresServer server = BenchServer.open()) {
            Place place = new Place(server.jdbcUrl(), server.user(), server.password(), server.newSchemaName("smoke"));
            JsonNode result = new Bench(place, PLAN, false, folder, EndToEnd::pause, System.out::println)
                    .run(
                            ours.stream()
                                    .map(Metric::benchmark)
                                    .distinct()
                                    .map(name -> Workload.named(name.substring(PREFIX.length())))
                                    .toList(),
                            ours.stream()
                                    .map(metric -> contenderOf(metric).name())
                                    .distinct()
                                    .map(Contenders::named)
                                    .toList(),
                            0)
                    .json();
            new JsonMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValue(folder.resolve("bench.json").toFile(), result);
            return resultsOf(result);
        }
    }

    private static Results resultsOf(JsonNode result) {
        Map<Metric, Double> numbers = new HashMap<>();
        boolean isDurable = result.get("surroundings").get("durable").asBoolean();
        for (JsonNode line : result.get("results")) {
            String benchmark = PREFIX + line.get("workload").asText();
            Map<String, String> params = Map.of(CONTENDER, line.get(CONTENDER).asText());
            line.get("medians")
                    .properties()
                    .forEach(median -> numbers.put(
                            new Metric(benchmark, params, median.getKey()),
                            median.getValue().asDouble()));
            numbers.put(new Metric(benchmark, params, CostProfiler.DURABLE), isDurable ? 1.0 : 0.0);
        }
        return new Results(numbers);
    }

    private static void pause(Duration time) throws InterruptedException {
        new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
