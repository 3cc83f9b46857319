package dev.sweep.it;

import java.util.ArrayList;
import java.util.List;

/**
 * What Sweep runs all the time, and what each may read, however many tasks wait and have finished. This is the promise: a
 * row each, for 100 tasks where more than one is meant.
 *
 * <p>Rows are what scans read: index entries, dead ones included, and rows of tables read from end to end. Buffers are pages
 * of tables and indexes, as often as they are looked at, those that are written included, and those that a new session looks
 * at to make its plan: with weeks, some of each week.
 *
 * <p>An index without a name of its own is the primary key of the table that is named.
 */
enum HotStatement {
    // @formatter:off
    //                        rows buffers  more with  indexes that it searches             tables that it may read
    //                                      52 weeks                                        from end to end
    CLAIM_OF_NOTHING(           20,    120,   130, "queue task_ready",                      ""),
    CLAIM_OF_ONE(                5,     60,   130, "queue task_ready task",                 ""),
    CLAIM(                     220,  1_500,   130, "queue task_ready task",                 ""),
    CLAIM_EVENLY(              320,  1_500,   130, "queue task_ready task",                 ""),
    CLAIM_OF_LOST(              60,    250,   130, "queue task_ready task_ready_lost task", ""),
    COMPLETE(                  210,  1_400,   800, "task_running task_lease",               ""),
    FAIL_WITH_RETRY(           210,  1_800,   100, "task_running task_lease",               ""),
    FAIL_FOR_GOOD(             210,  1_800,   500, "task_running task_lease",               ""),
    SNOOZE(                    110,  1_300,     0, "task_running",                          ""),
    RELEASE(                   110,  1_300,     0, "task_running",                          ""),
    // In a session of the application's, whose planner reads a few leases from end to end.
    COMPLETE_IN_TRANSACTION(   500,     60,   100, "task_running task_lease",               "task_lease"),
    // These look at all leases, and reclaims at all that runs: here fewer than 1,000 attempts. A beat meets the dead
    // entries of leases that hold nothing any more, once.
    HEARTBEAT(               1_500,  1_200,   100, "task_running task_lease",               "task_lease"),
    RECLAIM_OF_NOTHING(      2_000,  1_800,   100, "task_running task_lease",               "task_lease"),
    RECLAIM(                 3_000,  4_500,   500, "task_running task_lease task",          "task_lease"),
    FIND_ONE(                1_000,    100,   450, "task task_outcome task_failure dead_letter task_running task_ready_moved", ""),
    ENQUEUE_ONE(                 0,     20,    10, "",                                      ""),
    ENQUEUE(                     0,    900,    10, "",                                      ""),
    ENQUEUE_WITH_KEYS(         110,  2_000,    10, "task_key",                              ""),
    ENQUEUE_DUPLICATES(        420,  1_900,   500, "task_key task",                         ""),
    CANCEL_ONE(                  5,     50,   130, "task task_ready",                       ""),
    MOVE_NO_DEAD_LETTERS(      200,     50,   700, "task_outcome_failed",                   ""),
    MOVE_DEAD_LETTERS(       1_000,  3_500,   700, "task_outcome_failed task task_outcome task_failure", ""),
    DELETE_NO_OLD_TASKS(        20,     60,   150, "task_outcome",                          ""),
    DELETE_OLD_TASKS(        1_000,  3_200,   200, "task_outcome task task_failure task_key", ""),
    FOLD_TOTALS(               400,    500,    10, "",                                      "stat_delta"),
    // Counts while there are at most 4,096 pages of each.
    COUNT_TASKS(           900_000,  8_300,    10, "",                                      "task_ready task_running stat_delta");
    // @formatter:on

    static final int BATCH = 100;

    final long rows;
    private final long buffers;
    private final long moreBuffersWithWeeks;
    private final String indexes;
    private final String readThrough;

    HotStatement(long rows, long buffers, long moreBuffersWithWeeks, String indexes, String readThrough) {
        this.rows = rows;
        this.buffers = buffers;
        this.moreBuffersWithWeeks = moreBuffersWithWeeks;
        this.indexes = indexes;
        this.readThrough = readThrough;
    }

    long buffers(PlanScenario scenario) {
        return buffers + (scenario.isPartitioned() ? moreBuffersWithWeeks : 0);
    }

    /** What is wrong with what it touched; empty if nothing is. */
    List<String> faults(PlanScenario scenario, TableCounters.Touched touched) {
        List<String> faults = new ArrayList<>();
        if (touched.rows() > rows) {
            faults.add("%,d rows, more than %,d".formatted(touched.rows(), rows));
        }
        if (touched.buffers() > buffers(scenario)) {
            faults.add("%,d buffers, more than %,d".formatted(touched.buffers(), buffers(scenario)));
        }
        touched.indexes().stream()
                .filter(index -> !isNamed(indexes, index.replace("_pkey", "")))
                .forEach(index -> faults.add("searches " + index));
        touched.readThrough().stream()
                .filter(table -> !isNamed(readThrough, table))
                .forEach(table -> faults.add("reads " + table + " from end to end"));
        return faults;
    }

    /** What keeps maintenance going has a row for each chore, at most. */
    private static boolean isNamed(String names, String name) {
        return name.matches("maintenance_.*|schema_info")
                || List.of(names.split(" ")).contains(name);
    }
}
