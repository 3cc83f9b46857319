/**
 * The end-to-end bench behind {@code sweep bench}: {@link dev.sweep.cli.bench.Contender}s do the same
 * {@link dev.sweep.cli.bench.Workload}s on one server, turn by turn, each with its producers and workers in JVMs of their own
 * ({@link dev.sweep.cli.bench.BenchProcess}), while the parent orchestrates and measures. What comes out are ratios.
 */
@NullMarked
package dev.sweep.cli.bench;

import org.jspecify.annotations.NullMarked;
