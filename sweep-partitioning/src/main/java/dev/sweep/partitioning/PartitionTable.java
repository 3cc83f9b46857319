package dev.sweep.partitioning;

import java.util.List;

/** The tables that are partitioned, all three by the same ranges, in the order in which retention takes them away. */
enum PartitionTable {
    /** First, so that nothing shows a task whose outcome is gone already. */
    TASK("task", "id"),
    FAILURE("task_failure", "id, lease"),
    OUTCOME("task_outcome", "id");

    static final List<PartitionTable> ALL = List.of(values());

    private final String parent;
    private final String key;

    PartitionTable(String parent, String key) {
        this.parent = parent;
        this.key = key;
    }

    String parent() {
        return parent;
    }

    /** The columns of each leaf's primary key; the parents have none. */
    String key() {
        return key;
    }

    String leaf(String rangeName) {
        return parent + "_" + rangeName;
    }
}
