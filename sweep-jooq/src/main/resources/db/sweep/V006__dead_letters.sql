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

-- The run time that a failed task has added to the totals; one that was lost once too often has added none.
create function ${schema}.counted_micros(
    started_at timestamptz, finished_at timestamptz, losses integer, max_losses integer) returns bigint
    language sql immutable parallel safe
    return case when losses <= max_losses
                then coalesce((extract(epoch from finished_at - started_at) * 1000000)::bigint, 0) else 0 end;

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
    ), outcomes as (
        delete from ${schema}.task_outcome o
        using tasks t
        where o.id = t.id and o.created_at = ${schema}.id_time(t.id)
        returning o.*
    ), runs as (
        delete from ${schema}.task_failure f
        using tasks t
        where f.id = t.id and f.created_at = ${schema}.id_time(t.id)
        returning f.*
    ), told as (
        select r.id, r.lease, jsonb_build_object(
                   'failed_at', r.failed_at, 'lease', r.lease, 'ran_as', r.ran_as, 'attempt', r.attempt,
                   'worker', r.worker, 'error_class', r.error_class, 'message', r.message) as failure
        from runs r
    ), measured as (
        select x.id, x.lease, x.failure,
               sum(octet_length(x.failure::text)) over (partition by x.id order by x.lease desc) as bytes
        from told x
    ), kept as (
        select m.id, jsonb_agg(m.failure order by m.lease) as failures
        from measured m
        where m.bytes <= 16777216
        group by m.id
    )
    insert into ${schema}.dead_letter
        (id, created_at, due_at, started_at, finished_at, requeued_from, lease, max_retries, retries, priority, max_losses,
         losses, queue, type, dedup_key, worker, error, headers, failures, payload)
    select t.id, t.created_at, t.due_at, o.started_at, o.finished_at, t.requeued_from, o.lease, t.max_retries, o.retries,
           t.priority, t.max_losses, o.losses, t.queue, t.type, t.dedup_key, o.worker, o.error, t.headers,
           coalesce(k.failures, '[]'), t.payload
    from tasks t
    join outcomes o on o.id = t.id
    left join kept k on k.id = t.id;
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

comment on function ${schema}.move_dead_letters(bigint, integer) is 'Moves failed tasks out of the partitions into dead_letter, the oldest first; returns how many.';
comment on function ${schema}.purge_dead_letters(timestamptz, integer) is 'Deletes dead letters that failed before that time, the oldest first; returns how many.';
