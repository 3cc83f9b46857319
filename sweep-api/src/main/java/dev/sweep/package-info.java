/**
 * API: what applications call. {@link dev.sweep.Sweep} enqueues {@link dev.sweep.NewTask}s of a
 * {@link dev.sweep.TaskType}, in the caller's own transaction; workers of {@code sweep-worker} run them through
 * {@link dev.sweep.TaskHandler}s.
 */
@NullMarked
package dev.sweep;

import org.jspecify.annotations.NullMarked;
