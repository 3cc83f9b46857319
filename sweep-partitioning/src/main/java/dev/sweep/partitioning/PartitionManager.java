package dev.sweep.partitioning;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.util.List;

/** What can be done to the partitions of one installation. Thread-safe; any number of processes may use it at once. */
public final class PartitionManager {

    private final StoreDatabase database;
    private final PartitionCatalog catalog;

    private PartitionManager(StoreDatabase database) {
        this.database = database;
        this.catalog = new PartitionCatalog(new PartitionStatements(database));
    }

    public static PartitionManager of(JooqTaskStore store) {
        return new PartitionManager(store.database());
    }

    /** The names of the ranges that are attached, oldest first. */
    public List<String> attached() {
        return database.inTransaction(Limits.OF_ROWS, catalog::leaves).stream()
                .filter(leaf -> leaf.table() == PartitionTable.TASK)
                .map(Leaf::rangeName)
                .toList();
    }
}
