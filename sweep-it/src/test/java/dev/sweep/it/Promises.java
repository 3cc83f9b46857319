package dev.sweep.it;

import java.util.Map;

/** What is true of the tables whatever happens, in every snapshot at any time; each query finds what breaks a promise. */
final class Promises {

    static final Map<String, String> ALWAYS = Map.of(
            "a task is in exactly one place",
            """
            select t.id from sweep.task t
            where (select count(*) from sweep.task_ready r where r.id = t.id)
                + (select count(*) from sweep.task_running r where r.id = t.id)
                + (select count(*) from sweep.task_outcome o where o.id = t.id) <> 1
            """,
            "the view shows each task once",
            "select id from sweep.tasks group by id having count(*) <> 1",
            "the view shows no other tasks",
            """
            select count(*) from sweep.tasks
            having count(*) <> (select count(*) from sweep.task) + (select count(*) from sweep.dead_letter)
            """,
            "a dead letter is nowhere else",
            """
            select d.id from sweep.dead_letter d
            where exists (select from sweep.task t where t.id = d.id)
               or exists (select from sweep.task_outcome o where o.id = d.id)
            """,
            "a place belongs to a task",
            """
            select p.id from (select id from sweep.task_ready union all select id from sweep.task_running
                              union all select id from sweep.task_outcome union all select id from sweep.task_failure) p
            where not exists (select from sweep.task t where t.id = p.id)
            """,
            "a key that is taken points to its task",
            """
            select k.key from sweep.task_key k
            where not exists (select from sweep.task t where t.id = k.id and t.dedup_key = k.key)
              and not exists (select from sweep.dead_letter d where d.id = k.id and d.dedup_key = k.key)
            """,
            "totals equal outcomes",
            """
            select s from unnest(array['succeeded', 'failed', 'cancelled']) s
            where (select count(*) from sweep.task_outcome o where o.status = s)
                + (select count(*) from sweep.dead_letter where s = 'failed')
               <> (select coalesce(sum(d.tasks), 0) from sweep.stat_delta d where d.status = s)
            """,
            "a failure or loss is noted for each that is counted",
            """
            select o.id, o.status, o.retries, o.losses from sweep.task_outcome o
            where (select count(*) from sweep.task_failure f where f.id = o.id and f.ran_as is null
                   and f.error_class = 'worker lost')
                    <> o.losses
               or (select count(*) from sweep.task_failure f where f.id = o.id and f.ran_as is null
                   and f.error_class <> 'worker lost')
                    - o.retries not in (0, case when o.status = 'failed' then 1 else 0 end)
            """);

    private Promises() {}
}
