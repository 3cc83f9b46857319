package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;

/** The statements of {@link GaugeQuery}: a column {@code value}, and one each label; bounded in rows and in what they read. */
final class GaugeStatements {

    private final StoreDatabase database;
    private final DoctorStatements looks;

    GaugeStatements(StoreDatabase database) {
        this.database = database;
        this.looks = new DoctorStatements(database);
    }

    // @formatter:off

    String tasks() {
        return database.sql("select s.status, s.count as value from ${schema}.task_stats s");
    }

    /** The twenty queues that wait longest, and the others as one. */
    String oldestDueAge() {
        return """
            select case when o.n <= 20 then o.queue else '(other)' end as queue, max(o.seconds) as value
            from (select d.queue, d.seconds, row_number() over (order by d.seconds desc, d.queue) as n
                  from (${look}) d
                  where not d.is_paused) o
            group by 1
            order by 2 desc
            """.replace("${look}", looks.oldestDue());
    }

    String unknownTypeTasks() {
        return "select coalesce(sum(u.tasks), 0) as value from (${look}) u"
            .replace("${look}", looks.pendingOfUnknownType().replace("limit ?", "limit 1000"));
    }

    String workersAlive() {
        return looks.liveWorkers().replace("count(*)", "count(*) as value");
    }

    String lapsedLeases() {
        return "select l.leases as value from (${look}) l".replace("${look}", looks.lapsedLeases());
    }

    String deadLetters() {
        return database.sql("""
            select case when c.n <= 10000 then c.n
                        else greatest(c.n, pg_stat_get_live_tuples('${schemaText}.dead_letter'::regclass)) end as value
            from (select count(*) as n from (select from ${schema}.dead_letter limit 10001) d) c
            """);
    }

    String choreSuccessAge() {
        return "select c.name as chore, c.success_seconds as value from (${look}) c".replace("${look}", looks.chores());
    }

    String choreFailures() {
        return "select c.name as chore, c.failures as value from (${look}) c".replace("${look}", looks.chores());
    }

    String runwayPeriods() {
        return onPartitions("periods");
    }

    String runwaySeconds() {
        return onPartitions("seconds");
    }

    private String onPartitions(String column) {
        return "select r." + column + " as value from (" + looks.runway() + ") r where r.seconds is not null";
    }

    String stragglers() {
        return database.sql("select count(*) as value from (${look}) l where exists (select from ${schema}.partition_plan)"
            .replace("${look}", looks.oldLiveTasks().replace("limit ?", "limit 1000")));
    }

    String horizonAge() {
        return "select coalesce(max(h.seconds), 0) as value from (${look}) h".replace("${look}", looks.horizonHolders());
    }

    String deadRows() {
        return "select d.name as \"table\", d.dead as value from (${look}) d".replace("${look}", looks.deadRows());
    }

    String tableBytes() {
        return "select d.name as \"table\", d.bytes as value from (${look}) d".replace("${look}", looks.deadRows());
    }

    // @formatter:on
}
