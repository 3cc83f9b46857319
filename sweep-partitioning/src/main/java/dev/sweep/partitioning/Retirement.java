package dev.sweep.partitioning;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code partition_retired}.
 *
 * @param range {@link Instant#MIN} is its begin if it has no lower bound
 * @param position the last id whose dedup key was looked at; null: none yet
 * @param tasks how many tasks were taken off the totals; null: none yet
 */
record Retirement(
        PartitionRange range,
        RetirementStage stage,
        @Nullable Long position,
        @Nullable Long tasks) {

    String name() {
        return range.name();
    }

    boolean has(Leaf leaf) {
        return leaf.rangeName().equals(range.name());
    }
}
