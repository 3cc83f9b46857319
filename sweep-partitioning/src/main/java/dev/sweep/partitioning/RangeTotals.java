package dev.sweep.partitioning;

/** How a range changes the totals: by what was added when its tasks ended. For {@code ${range}} and {@code ${schema}}. */
final class RangeTotals {

    private static final String CHANGE = """
        insert into ${schema}.stat_delta (status, tasks, run_micros)
        select o.status, ${sign}count(*),
               ${sign}coalesce(sum(extract(epoch from o.finished_at - o.started_at) * 1000000)
                               filter (where o.status = 'succeeded'), 0)::bigint
        from ${schema}.task_outcome_${range} o
        where ${condition}
        group by o.status
        """;

    private RangeTotals() {}

    static String takenOff() {
        return change("-", "true");
    }

    /** If this holds. */
    static String addedIf(String condition) {
        return change("", condition);
    }

    private static String change(String sign, String condition) {
        return CHANGE.replace("${sign}", sign).replace("${condition}", condition);
    }
}
