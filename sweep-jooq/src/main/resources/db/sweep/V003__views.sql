-- The public SQL interface for reading.

-- Live and dead tasks are one base relation without conditions, so that a search by id and an order by id reach the keys of
-- both tables.
create view ${schema}.tasks as
select t.id, t.dedup_key, t.type, coalesce((10 - w.rank)::smallint, (10 - r.rank)::smallint, t.priority) as priority,
       t.payload,
       case when t.is_dead then 'failed' when o.id is not null then o.status
            when r.id is not null then 'processing' else 'pending' end as status,
       coalesce(t.retries, o.retries, r.retries, w.retries, 0) as retry_count,
       t.max_retries,
       coalesce(t.error, o.error, (select f.message from ${schema}.task_failure f
                                   where f.id = t.id and f.created_at = ${schema}.id_time(t.id) and f.ran_as is null
                                   order by f.lease desc limit 1)) as error_msg,
       t.created_at,
       coalesce(t.finished_at, o.finished_at, l.claimed_at, (
                    select max(f.failed_at) from ${schema}.task_failure f
                    where f.id = t.id and f.created_at = ${schema}.id_time(t.id) and f.ran_as is null),
                t.created_at) as updated_at,
       coalesce(t.started_at, o.started_at, l.claimed_at) as started_at,
       coalesce(t.finished_at, o.finished_at) as finished_at,
       t.queue,
       coalesce(w.due_at, r.due_at, t.due_at) as due_at,
       coalesce(t.losses, o.losses, r.losses, w.losses, 0::smallint) as losses,
       t.headers,
       o.result,
       t.requeued_from
from (
    select a.id, a.created_at, a.due_at, a.requeued_from, a.max_retries, a.priority, a.queue, a.type, a.dedup_key,
           a.headers, a.payload, false as is_dead, null::timestamptz as started_at, null::timestamptz as finished_at,
           null::integer as retries, null::smallint as losses, null::text as error
    from ${schema}.task a
    union all
    select d.id, d.created_at, d.due_at, d.requeued_from, d.max_retries, d.priority, d.queue, d.type, d.dedup_key,
           d.headers, d.payload, true, d.started_at, d.finished_at, d.retries, d.losses, d.error
    from ${schema}.dead_letter d) t
left join ${schema}.task_outcome o on o.id = t.id and o.created_at = ${schema}.id_time(t.id)
left join ${schema}.task_running r on r.id = t.id
left join ${schema}.task_lease l on l.id = r.lease
left join ${schema}.task_ready w on w.id = t.id and w.moved;

-- One task by its id: finds the one partition of each table in which it can be. The id comes out of an array, so that the
-- planner takes no condition on it for a constant: it would then look for it in every partition of the outcomes.
create function ${schema}.find_task(task_id bigint) returns setof ${schema}.tasks
    language plpgsql stable
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
begin
    return query select t.*
        from unnest(array[task_id]) u(id)
        join ${schema}.tasks t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
            and t.created_at < ${schema}.id_time(u.id) + interval '1 second';
end $sweep$;

-- The next three start from the narrow tables, so they stay fast whatever the history.
create view ${schema}.tasks_waiting as
select w.id, t.dedup_key, w.type, (10 - w.rank)::smallint as priority, t.payload, w.retries as retry_count,
       t.max_retries, t.created_at, w.queue, w.due_at, w.losses
from ${schema}.task_ready w
join ${schema}.task t on t.id = w.id and t.created_at >= ${schema}.id_time(w.id)
    and t.created_at < ${schema}.id_time(w.id) + interval '1 second';

create view ${schema}.tasks_running as
select r.id, t.dedup_key, r.type, (10 - r.rank)::smallint as priority, t.payload, r.retries as retry_count,
       t.max_retries, t.created_at, r.queue, r.losses, r.lease, l.worker, l.claimed_at as started_at, l.lease_until
from ${schema}.task_running r
join ${schema}.task t on t.id = r.id and t.created_at >= ${schema}.id_time(r.id)
    and t.created_at < ${schema}.id_time(r.id) + interval '1 second'
left join ${schema}.task_lease l on l.id = r.lease;

-- Dead letters, and what will be one soon; in one relation as above.
create view ${schema}.tasks_failed as
select o.id, coalesce(o.dedup_key, t.dedup_key) as dedup_key, coalesce(o.type, t.type) as type,
       coalesce(o.priority, t.priority) as priority, coalesce(o.payload, t.payload) as payload,
       o.retries as retry_count, coalesce(o.max_retries, t.max_retries) as max_retries, o.error as error_msg,
       coalesce(o.task_created_at, t.created_at) as created_at, coalesce(o.queue, t.queue) as queue, o.losses,
       o.started_at, o.finished_at, o.worker
from (
    select e.id, e.retries, e.error, e.losses, e.started_at, e.finished_at, e.worker, e.status,
           null::text as dedup_key, null::text as type, null::smallint as priority, null::jsonb as payload,
           null::integer as max_retries, null::timestamptz as task_created_at, null::text as queue
    from ${schema}.task_outcome e
    union all
    select d.id, d.retries, d.error, d.losses, d.started_at, d.finished_at, d.worker, 'failed'::text,
           d.dedup_key, d.type, d.priority, d.payload, d.max_retries, d.created_at, d.queue
    from ${schema}.dead_letter d) o
left join ${schema}.task t on t.id = o.id and t.created_at >= ${schema}.id_time(o.id)
    and t.created_at < ${schema}.id_time(o.id) + interval '1 second'
where o.status = 'failed' and (o.payload is not null or t.id is not null);

-- The failed and lost runs, those before a requeue included.
create view ${schema}.task_failures as
select f.id, f.attempt, f.failed_at, f.worker, f.error_class, f.message, f.lease, coalesce(f.ran_as, f.id) as ran_as
from ${schema}.task_failure f
union all
select d.id, f.attempt, f.failed_at, f.worker, f.error_class, f.message, f.lease, coalesce(f.ran_as, d.id)
from ${schema}.dead_letter d
cross join lateral jsonb_to_recordset(d.failures) as f(
    attempt integer, failed_at timestamptz, worker text, error_class text, message text, lease bigint, ran_as bigint);

-- What waits and what runs is counted while its table has at most 32 MiB (4,096 pages, some 300,000 rows), dead rows
-- included, so that a count reads no more than that; beyond, PostgreSQL's own running estimate is told, and exact is false.
-- What has ended is the sum of stat_delta, which maintenance folds into few rows: always exact, no scan of tasks.
create view ${schema}.task_stats as
with narrow as materialized (
    select t.name, pg_catalog.pg_relation_size(t.name) <= 33554432 as is_small,
           coalesce(nullif(pg_catalog.pg_stat_get_live_tuples(t.name), 0),
                    (select c.reltuples::bigint from pg_catalog.pg_class c where c.oid = t.name)) as estimate
    from (values ('${schemaText}.task_ready'::pg_catalog.regclass), ('${schemaText}.task_running'::pg_catalog.regclass)) t(name)
), live as (
    select 'pending' as status,
           case when is_small then (select count(*) from ${schema}.task_ready) else greatest(0, estimate) end as count,
           null::bigint as run_micros, is_small as exact
    from narrow where name = '${schemaText}.task_ready'::pg_catalog.regclass
    union all
    select 'processing', case when is_small then (select count(*) from ${schema}.task_running) else greatest(0, estimate) end,
           null, is_small
    from narrow where name = '${schemaText}.task_running'::pg_catalog.regclass
), ended as (
    select s.status, coalesce(sum(d.tasks), 0)::bigint as count, sum(d.run_micros)::bigint as run_micros, true as exact
    from (values ('succeeded'), ('failed'), ('cancelled')) s(status)
    left join ${schema}.stat_delta d on d.status = s.status
    group by s.status
)
select a.status, a.count,
       case when a.count > 0 and a.status <> 'cancelled'
            then a.run_micros / a.count * interval '1 microsecond' end as average_duration,
       a.exact
from (select * from live union all select * from ended) a
order by array_position(array['pending', 'processing', 'succeeded', 'failed', 'cancelled'], a.status);
