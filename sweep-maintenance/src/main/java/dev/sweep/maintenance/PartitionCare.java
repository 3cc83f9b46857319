package dev.sweep.maintenance;

import dev.sweep.partitioning.PartitionManager;
import java.time.Duration;

/** Creates partitions ahead, and goes on with switching them on if that was interrupted; nothing to do where they are off. */
final class PartitionCare implements Chore {

    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public Duration interval() {
        return Duration.ofHours(1);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        return ChoreResult.done(PartitionManager.of(context.store()).care().size());
    }
}
