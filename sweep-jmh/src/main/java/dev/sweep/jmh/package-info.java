/**
 * What Sweep costs: benchmarks of the store's calls and of whole tasks, on a PostgreSQL that keeps what it commits.
 *
 * <p>A benchmark asks one question. It calls the store as the engine does; what it needs before a call (tasks to claim,
 * attempts to end) is made, and what it leaves is taken away, outside of the time that is measured, so that the thousandth
 * call meets what the first one met. Results are operations per second, tasks per second ({@code tasks}), and what one
 * task took of the server ({@link dev.sweep.jmh.CostProfiler}).
 */
@NullMarked
package dev.sweep.jmh;

import org.jspecify.annotations.NullMarked;
