package dev.sweep.maintenance;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.maintenance.MaintenanceEvent.PartitionsRunShort;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.partitioning.PartitionManagerBuilder;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates partitions ahead, goes on with switching them on if that was interrupted, and raises the alarm if they still reach
 * too short; nothing to do where they are off.
 */
final class PartitionCare implements Chore {

    /** Fewer whole periods ahead than that want a person. */
    private static final int ALARM_BELOW = 2;

    private static final Logger LOG = LoggerFactory.getLogger("dev.sweep.maintenance");

    private final UnaryOperator<PartitionManagerBuilder> settings;
    private final MaintenanceEvents events;

    PartitionCare(UnaryOperator<PartitionManagerBuilder> settings, MaintenanceEvents events) {
        this.settings = settings;
        this.events = events;
    }

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
        PartitionManager partitions = manager(context.store());
        try {
            return ChoreResult.done(partitions.care().size());
        } finally {
            tellIfShort(partitions);
        }
    }

    /** What any process does at its start: every other may have slept for long, or may lack the right. */
    void createAhead(JooqTaskStore store) {
        PartitionManager partitions = manager(store);
        try {
            partitions.createAhead();
        } finally {
            tellIfShort(partitions);
        }
    }

    private PartitionManager manager(JooqTaskStore store) {
        return settings.apply(PartitionManager.builder(store)).build();
    }

    private void tellIfShort(PartitionManager partitions) {
        OptionalInt runway = partitions.state().runway();
        if (runway.isPresent() && runway.getAsInt() < ALARM_BELOW) {
            LOG.warn(
                    "partitions reach only {} periods ahead; without one for the present, enqueues fail: see the"
                            + " chore 'partitions' and sweep doctor",
                    runway.getAsInt());
            events.publish(new PartitionsRunShort(events.name(), runway.getAsInt()));
        }
    }
}
