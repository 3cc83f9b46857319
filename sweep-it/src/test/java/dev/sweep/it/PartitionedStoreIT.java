package dev.sweep.it;

import dev.sweep.partitioning.PartitionManager;
import dev.sweep.partitioning.PartitionPeriod;
import dev.sweep.spi.TaskStore;
import dev.sweep.testing.TransactionalTaskStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract of every store, on partitions so short that the tests meet several. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionedStoreIT extends TransactionalTaskStoreContract {

    private static final PartitionPeriod PERIOD = new ShortPeriod(20);
    private static final int AHEAD = 3;

    private final Database db = Database.named("partitioned");
    private PartitionManager partitions;

    @BeforeAll
    void switchOn() {
        db.open();
        partitions = PartitionManager.builder(db.newStore())
                .period(PERIOD)
                .ahead(AHEAD)
                .build();
        partitions.enable(PERIOD);
    }

    @AfterAll
    void drop() {
        db.drop();
    }

    @Override
    protected TaskStore newStore() {
        partitions.createAhead();
        db.empty();
        return db.newStore();
    }

    @Override
    protected void checkInvariants() {
        db.checkPromises();
    }
}
