package dev.sweep;

import java.time.Duration;
import java.util.Optional;

/**
 * How many tasks have one status: a row of the public view {@code task_stats}.
 *
 * @param exact false if the count is an estimate
 * @param averageDuration the average run time of the last attempts of the finished ones, as their workers measured it
 */
public record StatusCount(TaskStatus status, long count, boolean exact, Optional<Duration> averageDuration) {}
