package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What holds at the end of every test, whatever happened in it: all workers are closed, and so is the store. */
final class Invariants {

    private static final String PLACES = """
            (select id from sweep.task_ready union all select id from sweep.task_running
             union all select id from sweep.task_outcome) p""";

    /** Failed runs and lost runs by their records, those before a requeue left out, against what the task says of itself. */
    private static final String MISCOUNTED = """
            select t.id || ': ' || row_to_json(c)::text
            from sweep.task t
            cross join lateral (
                select count(*) filter (where f.error_class <> 'worker lost') as failures,
                       count(*) filter (where f.error_class = 'worker lost') as losses
                from sweep.task_failure f where f.id = t.id and f.ran_as is null) f
            join (select id, retries, losses, 'live' as status from sweep.task_ready
                  union all select id, retries, losses, 'live' from sweep.task_running
                  union all select id, retries, losses, status from sweep.task_outcome) s on s.id = t.id
            cross join lateral (select s.status, s.retries, s.losses, f.failures as failed_runs, f.losses as lost_runs,
                                       t.max_retries, t.max_losses) c
            where s.losses <> f.losses or s.retries > t.max_retries
               or s.losses > t.max_losses + (s.status = 'failed')::int
               or f.failures - s.retries not between 0 and (s.status = 'failed')::int
            """;

    private Invariants() {}

    static void check(Database database) {
        nothingIsStuck(database);
        everyTaskIsInOnePlace(database);
        runsAddUp(database);
        committedEffectsAreSingle(database);
        noSessionIsLeftOpen(database);
        noThreadIsLeft();
    }

    /** O1. */
    private static void nothingIsStuck(Database database) {
        assertThat(database.query("select r.id from sweep.task_running r left join sweep.task_lease l on l.id = r.lease"
                        + " where l.lease_until is null or l.lease_until < clock_timestamp()"))
                .as("tasks under a lapsed or missing lease")
                .isEmpty();
    }

    /** O2. */
    private static void everyTaskIsInOnePlace(Database database) {
        assertThat(database.query("select t.id from sweep.task t left join " + PLACES + " on p.id = t.id"
                        + " group by t.id having count(p.id) <> 1"))
                .as("tasks that are nowhere, or in two places")
                .isEmpty();
        assertThat(database.query("select p.id from " + PLACES
                        + " where not exists (select from sweep.task t where t.id = p.id)"))
                .as("places without a task")
                .isEmpty();
    }

    /** O4. */
    private static void runsAddUp(Database database) {
        assertThat(database.query(MISCOUNTED))
                .as("tasks whose runs do not add up")
                .isEmpty();
    }

    /** O3. */
    private static void committedEffectsAreSingle(Database database) {
        assertThat(database.query("select f.task_id from sweep.fx f left join sweep.task_outcome o"
                        + " on o.id = f.task_id and o.status = 'succeeded'"
                        + " where f.transactional group by f.task_id having count(*) <> 1 or count(o.id) <> 1"))
                .as("transactional effects that were repeated, or have no success beside them")
                .isEmpty();
    }

    /** O5. */
    private static void noSessionIsLeftOpen(Database database) {
        List<Object> open = database.query("select pid || ' ' || query from pg_stat_activity where application_name = '"
                + database.schema + "' and state like 'idle in transaction%'");
        assertThat(open).as("sessions idle in transaction").isEmpty();
        Awaiting.until(
                "all connections were given back",
                () -> database.source.getHikariPoolMXBean().getActiveConnections() == 0);
        assertThat(database.query("select a.pid from pg_locks k join pg_stat_activity a on a.pid = k.pid"
                        + " where k.locktype = 'advisory' and a.application_name = '" + database.schema + "'"))
                .as("session locks")
                .isEmpty();
    }

    /** O8. */
    private static void noThreadIsLeft() {
        Awaiting.until(
                "no thread of a worker is alive",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("sweep-")));
    }
}
