package dev.sweep.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs, briefly, the benchmarks and the workloads of the bench that have a floor, and fails if one is missed. Arguments: the file of floors, and the folder
 * for the results.
 */
public final class Smoke {

    private static final String REMEDY =
            "A floor was missed. Run the benchmark again alone, on a quiet machine: if it stays"
                    + " below, find what made it slow since the last run that passed. A floor is lowered in floors.json, with the"
                    + " reason.";

    private Smoke() {}

    public static void main(String[] arguments)
            throws IOException, RunnerException, SQLException, InterruptedException {
        Floors floors = Floors.read(Path.of(arguments[0]));
        Path folder = Files.createDirectories(Path.of(arguments[1]));
        Results results = EndToEnd.run(floors.metrics(), folder);
        for (Map.Entry<Benchmark, Path> run : runsOf(floors.metrics(), folder).entrySet()) {
            new Runner(run.getKey().options().result(run.getValue().toString()).build()).run();
            results = results.and(Results.read(run.getValue()));
        }
        List<Verdict> verdicts = floors.judge(results);
        verdicts.forEach(verdict -> System.out.println("# " + verdict));
        if (!verdicts.stream().allMatch(Verdict::isReached)) {
            System.err.println(REMEDY);
            System.exit(1);
        }
    }

    /** Each benchmark once, whatever the number of its metrics. */
    private static Map<Benchmark, Path> runsOf(Set<Metric> metrics, Path folder) {
        Map<Benchmark, Path> runs = new LinkedHashMap<>();
        for (Metric metric : metrics) {
            if (!EndToEnd.has(metric)) {
                runs.computeIfAbsent(
                        new Benchmark(metric.benchmark(), metric.params()),
                        run -> folder.resolve("smoke-" + (runs.size() + 1) + ".json"));
            }
        }
        return runs;
    }

    private record Benchmark(String name, Map<String, String> params) {

        ChainedOptionsBuilder options() {
            ChainedOptionsBuilder options = new OptionsBuilder()
                    .include("\\." + name.replace(".", "\\.") + "$")
                    .forks(1)
                    .warmupIterations(2)
                    .warmupTime(TimeValue.seconds(2))
                    .measurementIterations(3)
                    .measurementTime(TimeValue.seconds(2))
                    .shouldFailOnError(true)
                    .addProfiler(CostProfiler.class)
                    .resultFormat(ResultFormatType.JSON);
            new TreeMap<>(params).forEach(options::param);
            return options;
        }
    }
}
