package dev.sweep.cli.bench;

import java.time.Duration;

/**
 * The sizes of a bench.
 *
 * @param tasks of each run
 * @param warmUp how many tasks more each run does first, unmeasured, so that neither JVM nor server is cold
 * @param load what burdens the contenders
 * @param workers worker processes
 * @param concurrency of each worker, where that can be said; 0: its default
 * @param producers how many producers enqueue singly at once
 * @param payloadBytes the size of each payload
 * @param rounds how often each run is repeated
 * @param perSecond single enqueues a second, in the sustained workload
 * @param duration of the workloads that last a stated time
 */
public record BenchPlan(
        long tasks,
        long warmUp,
        Load load,
        int workers,
        int concurrency,
        int producers,
        int payloadBytes,
        int rounds,
        int perSecond,
        Duration duration) {}
