package dev.sweep.jmh;

import java.util.Map;
import java.util.TreeMap;

/**
 * Names one number of a run.
 *
 * @param benchmark class and method, such as {@code ClaimBenchmark.claim}
 * @param params every parameter of the benchmark with its value
 * @param name a secondary result, such as {@code tasks}, per second
 */
record Metric(String benchmark, Map<String, String> params, String name) {

    Metric {
        params = Map.copyOf(params);
    }

    @Override
    public String toString() {
        return benchmark + ":" + name + " " + new TreeMap<>(params);
    }
}
