package dev.sweep.spi;

import dev.sweep.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * SPI: the answer to a {@link ClaimRequest}.
 *
 * @param lease the lease of all tasks in it; 0 if there are none
 * @param tasks in claim order: per queue higher priority first, then due time, then id
 * @param orphans entries without a task, which were removed
 * @param nextDueIn only if no task came: when the next waiting one of these queues is due, as far as the store knows
 */
public record Claim(long lease, List<ClaimedTask> tasks, List<TaskId> orphans, Optional<Duration> nextDueIn) {

    public Claim {
        tasks = List.copyOf(tasks);
        orphans = List.copyOf(orphans);
    }
}
