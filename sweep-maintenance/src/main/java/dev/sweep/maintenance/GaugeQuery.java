package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import java.util.List;

/**
 * How one gauge is read.
 *
 * @param sql rows with a column {@code value}; the other columns are labels
 */
record GaugeQuery(String name, String help, String sql) {

    static List<GaugeQuery> all(StoreDatabase database) {
        GaugeStatements statements = new GaugeStatements(database);
        return List.of(
                new GaugeQuery(
                        "sweep_tasks", "Tasks by status; many waiting ones are an estimate.", statements.tasks()),
                new GaugeQuery(
                        "sweep_oldest_due_age_seconds",
                        "How long the oldest due task of a queue that is not paused has waited.",
                        statements.oldestDueAge()),
                new GaugeQuery(
                        "sweep_unknown_type_tasks",
                        "Due tasks that no live worker runs, among the first of each queue and priority.",
                        statements.unknownTypeTasks()),
                new GaugeQuery("sweep_workers_alive", "Worker processes seen lately.", statements.workersAlive()),
                new GaugeQuery(
                        "sweep_lapsed_leases",
                        "Leases that lapsed and were not taken back yet.",
                        statements.lapsedLeases()),
                new GaugeQuery(
                        "sweep_dead_letters", "Dead letters kept; many are an estimate.", statements.deadLetters()),
                new GaugeQuery(
                        "sweep_chore_success_age_seconds",
                        "How long ago a chore last succeeded.",
                        statements.choreSuccessAge()),
                new GaugeQuery(
                        "sweep_chore_failures", "How often a chore has failed in a row.", statements.choreFailures()),
                new GaugeQuery(
                        "sweep_partition_runway_periods",
                        "Periods that have partitions ahead of now; absent without partitions, -1 if now has none.",
                        statements.runwayPeriods()),
                new GaugeQuery(
                        "sweep_partition_runway_seconds",
                        "How long the partitions that there are will last; absent without partitions.",
                        statements.runwaySeconds()),
                new GaugeQuery(
                        "sweep_stragglers",
                        "Live tasks older than four weeks, counted up to a thousand, where there are partitions.",
                        statements.stragglers()),
                new GaugeQuery(
                        "sweep_horizon_age_seconds",
                        "How long the oldest transaction has held dead rows back.",
                        statements.horizonAge()),
                new GaugeQuery("sweep_dead_rows", "Dead rows of the hot tables, estimated.", statements.deadRows()),
                new GaugeQuery(
                        "sweep_table_bytes", "Size of the hot tables with their indexes.", statements.tableBytes()));
    }
}
