package dev.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * One failed or lost run of a task: a row of the public view {@code task_failures}.
 *
 * @param ranAs the id that the task had then: another one than now if it was requeued since
 * @param attempt counted from 1
 * @param worker empty if it is not known
 */
public record TaskFailure(
        TaskId ranAs, int attempt, Instant failedAt, Optional<String> worker, String errorClass, String message) {}
