package dev.sweep.jmh;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds to each result what one task took of the server: {@code walBytesPerTask} (of the whole server, full-page images
 * included), {@code statementsPerTask}, {@code commitsPerTask}; and {@code durable}: 1 if commits survive the loss of power.
 */
public final class CostProfiler implements InternalProfiler {

    static final String DURABLE = "durable";

    /** JMH makes profilers and benchmarks apart from each other, so they have to meet in a static place. */
    private static volatile @Nullable Watched watched;

    private record Watched(Meter meter, Durability durability) {}

    /** From now on the results are about this meter's calls. */
    static void watch(Meter meter, Durability durability) {
        watched = new Watched(meter, durability);
    }

    @Override
    public String getDescription() {
        return "WAL bytes, statements and commits per task";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        @Nullable Watched now = watched;
        if (now != null) {
            now.meter.take();
        }
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Watched now = Objects.requireNonNull(watched, "the benchmark opened no Installation, so nothing was metered");
        Cost cost = now.meter.take();
        List<Result<?>> results = new ArrayList<>();
        results.add(new ScalarResult(DURABLE, now.durability.isGiven() ? 1 : 0, "", AggregationPolicy.MIN));
        if (cost.tasks() > 0) {
            results.add(perTask("walBytesPerTask", cost.walBytes(), "B", cost));
            results.add(perTask("statementsPerTask", cost.statements(), "statements", cost));
            results.add(perTask("commitsPerTask", cost.commits(), "commits", cost));
        }
        return results;
    }

    private static ScalarResult perTask(String name, long amount, String unit, Cost cost) {
        return new ScalarResult(name, (double) amount / cost.tasks(), unit + "/task", AggregationPolicy.AVG);
    }
}
