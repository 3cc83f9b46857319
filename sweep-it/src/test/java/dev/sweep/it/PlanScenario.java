package dev.sweep.it;

import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;

/** What lies in the tables, and what the planner knows of it, when hot statements are judged. */
enum PlanScenario {
    EMPTY(0, 0),
    MANY_WAIT(Sizes.WAITING, 0),
    MANY_HAVE_FINISHED(Sizes.FEW, Sizes.FINISHED),
    WEEKS(Sizes.WAITING, Sizes.FINISHED),
    NEVER_ANALYSED(Sizes.WAITING, Sizes.WAITING),
    GENERIC_PLANS(Sizes.WAITING, Sizes.WAITING, "set plan_cache_mode = force_generic_plan"),
    CUSTOM_PLANS(Sizes.WAITING, Sizes.WAITING, "set plan_cache_mode = force_custom_plan"),
    /** Sessions have made their plans when there was nothing, and keep them. */
    FILLED_AFTER_PLANNING(Sizes.WAITING, Sizes.WAITING);

    static final int PARTITIONS = 52;

    /** Small in the gate; {@code -Pscale} takes five million finished tasks and one million waiting ones. */
    private static final class Sizes {
        static final long FINISHED = Long.getLong("sweep.test.scale.finished", 50_000);
        static final long WAITING = Long.getLong("sweep.test.scale.waiting", 20_000);
        static final long FEW = 2_000;
    }

    final long waiting;
    final long finished;

    /** Of each session, as SQL. */
    final String settings;

    PlanScenario(long waiting, long finished) {
        this(waiting, finished, "");
    }

    PlanScenario(long waiting, long finished, String settings) {
        this.waiting = waiting;
        this.finished = finished;
        this.settings = settings;
    }

    boolean isPartitioned() {
        return this == WEEKS;
    }

    boolean isPlannedBefore() {
        return this == FILLED_AFTER_PLANNING;
    }

    private boolean isAnalysed() {
        return this != NEVER_ANALYSED && this != FILLED_AFTER_PLANNING;
    }

    /** Tables that nobody else reads: no vacuum gets in between two looks at their counters. */
    void shape(Database db) {
        if (isPartitioned()) {
            PartitionManager.builder(db.store).ahead(PARTITIONS - 1).build().enable(CalendarPeriod.WEEK);
        }
        db.query("select format('alter table %s set (autovacuum_enabled = off)', c.oid::regclass) from pg_class c"
                        + " where c.relkind = 'r' and c.relnamespace = '" + db.schema + "'::regnamespace")
                .forEach(alter -> db.execute(alter.toString()));
    }

    /**
     * Waiting tasks of all priorities, one in twenty of them due tomorrow in a queue of its own, each with a key; finished
     * ones, some of them cancelled, folded into one count a status, as maintenance does. With weeks, spread over all of them.
     */
    void fill(Database db) {
        String at = isPartitioned()
                ? "date_trunc('week', now(), 'UTC') + (n %% %d) * interval '7 days' + (n / %d) * interval '10 ms'"
                        .formatted(PARTITIONS, PARTITIONS)
                : "now() - interval '1 day' - n * interval '10 ms'";
        db.execute("""
                with made as materialized (
                    select sweep.id_at(at, n + 2000000) as id, at, n, n <= %d as is_waiting, n %% 20 = 19 as is_later,
                           (n / 20 %% 10)::smallint as rank,
                           now() + case when n %% 20 = 19 then interval '1 day' else interval '-1 hour' end
                               + n * interval '1 ms' as due_at
                    from (select %s as at, n from generate_series(1, %d) n) m
                ), stored as (
                    insert into sweep.task (id, created_at, due_at, priority, queue, type, payload)
                    select id, at, due_at, 10 - rank, case when is_later then 'later' else 'default' end, 't',
                           '{"to": "someone@example.com"}'
                    from made
                ), keyed as (
                    insert into sweep.task_key (key, id) select 'key of ' || id, id from made where is_waiting
                ), waiting as (
                    insert into sweep.task_ready (queue, rank, due_at, id, type)
                    select case when is_later then 'later' else 'default' end, rank, due_at, id, 't'
                    from made where is_waiting
                ), ended as (
                    insert into sweep.task_outcome (id, created_at, finished_at, retries, losses, status)
                    select id, sweep.id_time(id), at, 0, 0, case n %% 50 when 0 then 'cancelled' else 'succeeded' end
                    from made where not is_waiting
                    returning status
                )
                insert into sweep.stat_delta (status, tasks, run_micros) select status, count(*), 0 from ended group by 1
                """.formatted(waiting, at, waiting + finished));
        if (isAnalysed()) {
            db.execute("vacuum analyze");
        }
    }
}
