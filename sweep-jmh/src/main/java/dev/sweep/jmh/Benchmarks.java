package dev.sweep.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs benchmarks: all of them, or what JMH's own arguments say, such as {@code ClaimBenchmark -p batch=50}. Results are
 * printed, and written as JSON to the file that {@code -rff} names, else to {@code target/jmh-result.json}.
 */
public final class Benchmarks {

    private static final String RESULT = "target/jmh-result.json";

    private Benchmarks() {}

    public static void main(String[] arguments) throws RunnerException, CommandLineOptionException, IOException {
        CommandLineOptions given = new CommandLineOptions(arguments);
        Path result = Path.of(given.getResult().orElse(RESULT)).toAbsolutePath();
        Files.createDirectories(result.getParent());
        new Runner(optionsOf(given).result(result.toString()).build()).run();
        System.out.println("# results: " + result);
    }

    /** What is not given is ours: calls take milliseconds, so that a few seconds are thousands of them. */
    private static ChainedOptionsBuilder optionsOf(CommandLineOptions given) {
        return new OptionsBuilder()
                .parent(given)
                .forks(given.getForkCount().orElse(1))
                .warmupIterations(given.getWarmupIterations().orElse(2))
                .warmupTime(given.getWarmupTime().orElse(TimeValue.seconds(3)))
                .measurementIterations(given.getMeasurementIterations().orElse(5))
                .measurementTime(given.getMeasurementTime().orElse(TimeValue.seconds(3)))
                .resultFormat(given.getResultFormat().orElse(ResultFormatType.JSON))
                .shouldFailOnError(given.shouldFailOnError().orElse(true))
                .addProfiler(CostProfiler.class);
    }
}
