-- Dead letters: failed tasks, taken whole out of the partitions so that these may go. A failed task is in exactly one of
-- task (with its outcome and failures) and dead_letter; each function here takes it by a row that it locks first, and
-- judges it in a second statement, whose snapshot is newer.

-- Refuses what would be no bound.
create function ${schema}.checked_max_rows(max_rows integer) returns integer
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $sweep$
begin
    if max_rows is null or max_rows not between 1 and 100000 then
        raise exception using errcode = '22023',
            message = format('max_rows %s is out of range; use 1 to 100000, and call again until 0 is returned',
                             coalesce(max_rows::text, 'null'));
    end if;
    return max_rows;
end $sweep$;

-- Moves the oldest failed tasks, with ids up to upper_id (null: any), into dead_letter; returns how many. Waits for
-- nobody: one that a requeue or a delete holds is left to it. The dedup key stays as it is, and so do the totals. Walks
-- task_outcome_failed. An outcome whose task is gone is nothing that could run again: it is passed by, stays, and goes with
-- its partition. Of failures that make up more than 16 MiB the newest are kept: jsonb bears no 256 MiB.
create function ${schema}.move_dead_letters(upper_id bigint, max_rows integer) returns bigint
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
declare
    taken bigint[];
    moved bigint;
    most  integer := ${schema}.checked_max_rows(max_rows);
begin
    select array_agg(l.id) into taken from (
        select o.id
        from ${schema}.task_outcome o
        where o.status = 'failed'
          and o.id <= coalesce(upper_id, 9223372036854775807)
          and o.created_at <= coalesce(${schema}.id_time(upper_id), 'infinity')
          and exists (select from ${schema}.task t where t.id = o.id and t.created_at >= ${schema}.id_time(o.id)
                      and t.created_at < ${schema}.id_time(o.id) + interval '1 second')
        order by o.id
        limit most
        for update of o skip locked) l;

    -- The task that was deleted decides, so that whatever is deleted here is also inserted.
    with tasks as (
        delete from ${schema}.task t
        using unnest(taken) u(id)
        where t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
          and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
        returning t.*
    ), ended as (
        delete from ${schema}.task_outcome o
        using tasks t
        where o.id = t.id and o.created_at = ${schema}.id_time(t.id)
        returning t.*, o.started_at, o.finished_at, o.lease, o.retries, o.losses, o.worker, o.error
    ), runs as (
        delete from ${schema}.task_failure f
        using tasks t
        where f.id = t.id and f.created_at = ${schema}.id_time(t.id)
    )
    insert into ${schema}.dead_letter
        (id, created_at, due_at, started_at, finished_at, requeued_from, lease, max_retries, retries, priority, max_losses,
         losses, queue, type, dedup_key, worker, error, headers, failures, payload)
    select e.id, e.created_at, e.due_at, e.started_at, e.finished_at, e.requeued_from, e.lease, e.max_retries, e.retries,
           e.priority, e.max_losses, e.losses, e.queue, e.type, e.dedup_key, e.worker, e.error, e.headers, k.failures,
           e.payload
    from ended e
    cross join lateral (
        -- The snapshot is that of the whole statement, so the failures are still seen here.
        select coalesce(jsonb_agg(m.failure order by m.lease), '[]') as failures
        from (
            select x.lease, x.failure, sum(octet_length(x.failure::text)) over (order by x.lease desc) as bytes
            from (
                select f.lease, jsonb_build_object(
                           'failed_at', f.failed_at, 'lease', f.lease, 'ran_as', f.ran_as, 'attempt', f.attempt,
                           'worker', f.worker, 'error_class', f.error_class, 'message', f.message) as failure
                from ${schema}.task_failure f
                where f.id = e.id and f.created_at = ${schema}.id_time(e.id)) x) m
        where m.bytes <= 16777216) k;
    get diagnostics moved = row_count;
    return moved;
end $sweep$;

-- Deletes the oldest dead letters that failed before that time, with their dedup keys, and takes them off the totals;
-- returns how many. Waits for nobody: one that a requeue holds, or whose key an enqueue holds, is left for a later call.
-- Walks dead_letter_finished.
create function ${schema}.purge_dead_letters(before timestamptz, max_rows integer) returns bigint
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
declare
    taken  bigint[];
    held   text[];
    purged bigint;
    most   integer := ${schema}.checked_max_rows(max_rows);
begin
    if before is null then
        raise exception using errcode = '22004',
            message = 'before is null; pass the time before which dead letters failed, such as now() - interval ''90 days''';
    end if;
    select array_agg(l.id) into taken from (
        select d.id from ${schema}.dead_letter d
        where d.finished_at < before
        order by d.finished_at, d.id
        limit most
        for update skip locked) l;

    select coalesce(array_agg(l.key), '{}') into held from (
        select k.key
        from unnest(taken) u(id)
        join ${schema}.dead_letter d on d.id = u.id
        join ${schema}.task_key k on k.key = d.dedup_key and k.id = d.id
        for update of k skip locked) l;

    with letters as (
        delete from ${schema}.dead_letter d
        using unnest(taken) u(id)
        where d.id = u.id
          and (d.dedup_key is null or d.dedup_key = any(held)
               or not exists (select from ${schema}.task_key k where k.key = d.dedup_key and k.id = d.id))
        returning d.*
    ), keys as (
        delete from ${schema}.task_key k using letters d where k.key = d.dedup_key and k.id = d.id
    ), counted as (
        insert into ${schema}.stat_delta (status, tasks, run_micros)
        select 'failed', -count(*),
               -sum(${schema}.counted_micros(d.started_at, d.finished_at, d.losses, d.max_losses))
        from letters d
        having count(*) > 0
    )
    select count(*) into purged from letters;
    return purged;
end $sweep$;

-- Deletes failed tasks, dead letters or not yet, with their failures, payloads and dedup keys, and takes them off the
-- totals. Locks and waits as requeue_tasks does; answers as the set functions of V005 do.
create function ${schema}.delete_dead_letters(ids bigint[])
    returns table (task_id bigint, answer text, new_id bigint)
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
declare
    failed  bigint[];
    letters bigint[];
    held    text[];
begin
    -- The status is asked for afterwards: within, the plan might be a walk of task_outcome_failed.
    select array_agg(l.id) filter (where l.status = 'failed') into failed from (
        select o.id, o.status
        from (select distinct a.id from unnest(ids) a(id)) u
        join ${schema}.task_outcome o on o.id = u.id and o.created_at = ${schema}.id_time(u.id)
        join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
            and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
        order by o.id
        for update of o) l;
    select array_agg(l.id) into letters from (
        select d.id
        from (select distinct a.id from unnest(ids) a(id)) u
        join ${schema}.dead_letter d on d.id = u.id
        order by d.id
        for update of d) l;

    select array_agg(l.key) into held from (
        select k.key
        from (
            select t.id, t.dedup_key
            from unnest(failed) u(id)
            join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
                and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
            union all
            select d.id, d.dedup_key from unnest(letters) u(id) join ${schema}.dead_letter d on d.id = u.id) e
        join ${schema}.task_key k on k.key = e.dedup_key and k.id = e.id
        order by k.key
        for update of k) l;

    with tasks as (
        delete from ${schema}.task t
        using unnest(failed) u(id)
        where t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
          and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
        returning t.id, t.max_losses
    ), outcomes as (
        delete from ${schema}.task_outcome o
        using tasks t
        where o.id = t.id and o.created_at = ${schema}.id_time(t.id)
        returning o.started_at, o.finished_at, o.losses, t.max_losses
    ), runs as (
        delete from ${schema}.task_failure f
        using tasks t
        where f.id = t.id and f.created_at = ${schema}.id_time(t.id)
    ), dead as (
        delete from ${schema}.dead_letter d
        using unnest(letters) u(id)
        where d.id = u.id
        returning d.started_at, d.finished_at, d.losses, d.max_losses
    ), keys as (
        delete from ${schema}.task_key k using unnest(held) u(key) where k.key = u.key
    )
    insert into ${schema}.stat_delta (status, tasks, run_micros)
    select 'failed', -count(*),
           -sum(${schema}.counted_micros(g.started_at, g.finished_at, g.losses, g.max_losses))
    from (select * from outcomes union all select * from dead) g
    having count(*) > 0;

    return query
        select u.id,
               case when u.id = any(failed) or u.id = any(letters) then 'changed' when d.id is not null then 'busy'
                    when t.id is null then null when o.status = 'failed' then 'busy'
                    when o.id is not null then o.status::text
                    when exists (select from ${schema}.task_running r where r.id = u.id) then 'processing'
                    else 'pending' end,
               null::bigint
        from unnest(ids) u(id)
        left join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
            and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
        left join ${schema}.task_outcome o on o.id = u.id and o.created_at = ${schema}.id_time(u.id)
        left join ${schema}.dead_letter d on d.id = u.id;
end $sweep$;

create function ${schema}.delete_dead_letter(task_id bigint) returns boolean
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
declare
    said text;
begin
    select r.answer into said from ${schema}.delete_dead_letters(array[task_id]) r;
    if said = 'busy' then
        raise exception using errcode = '55P03', message = format('task %s is held by another transaction; try again', task_id);
    elsif said <> 'changed' then
        raise exception using errcode = 'SW002',
            message = format('task %s is %s; only failed tasks can be deleted', task_id, said);
    end if;
    return case when said is not null then true end;
end $sweep$;

comment on function ${schema}.move_dead_letters(bigint, integer) is 'Moves failed tasks out of the partitions into dead_letter, the oldest first; returns how many.';
comment on function ${schema}.purge_dead_letters(timestamptz, integer) is 'Deletes dead letters that failed before that time, the oldest first; returns how many.';
comment on function ${schema}.delete_dead_letter(bigint) is 'Deletes a failed task with its payload and failures; null if there is no such task.';
comment on table ${schema}.dead_letter is 'Failed tasks, whole, moved here out of the partitions.';
