-- Changes that people ask for: cancel, requeue, move, pause. Java and SQL callers share them, so both obey one set of rules.
-- Each function judges every task on its own by the row that it takes, so that a change is safe against claims, outcomes,
-- reclaims and its own repetition. The set functions answer per task with
--   'changed'  this call changed it
--   'before'   it was requeued before, as new_id
--   'busy'     another transaction holds it; nothing was changed, try again
--   a status   nothing was changed, because that is its status
--   null       there is no such task
-- Under READ COMMITTED each statement below has a snapshot of its own; several steps rely on it.

-- Cancels what has not ended. Waits for nobody: what a claim or a completion is taking right now is looked for again, and
-- is busy if it is held for longer.
create function ${schema}.cancel_tasks(ids bigint[])
    returns table (task_id bigint, answer text, new_id bigint)
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
declare
    gone  bigint[] := '{}';
    taken bigint[];
begin
    -- A task that moved to a place already looked at is met in the next round.
    for round in 1 .. 3 loop
        with asked as materialized (
            select t.id, t.queue, (10 - t.priority)::smallint as rank, t.due_at
            from unnest(ids) u(id)
            join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
                and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
            where u.id <> all(gone)
        ), unmoved as (
            delete from ${schema}.task_ready
            where ctid = any(array(
                select r.ctid
                from asked a
                join ${schema}.task_ready r
                    on r.queue = a.queue and r.rank = a.rank and r.due_at = a.due_at and r.id = a.id and not r.moved
                for update of r skip locked))
            returning id, null::bigint as lease, retries, losses
        ), moved as (
            delete from ${schema}.task_ready
            where ctid = any(array(
                select r.ctid from asked a join ${schema}.task_ready r on r.id = a.id and r.moved
                for update of r skip locked))
            returning id, null::bigint as lease, retries, losses
        ), stopped as (
            delete from ${schema}.task_running
            where ctid = any(array(
                select r.ctid from ${schema}.task_running r where r.id = any(array(select a.id from asked a))
                for update of r skip locked))
            returning id, lease, retries, losses
        ), cancelled as materialized (
            select * from unmoved union all select * from moved union all select * from stopped
        ), stored as (
            insert into ${schema}.task_outcome (id, created_at, finished_at, lease, retries, losses, status)
            select c.id, ${schema}.id_time(c.id), clock_timestamp(), c.lease, c.retries, c.losses, 'cancelled'
            from cancelled c
        ), counted as (
            insert into ${schema}.stat_delta (status, tasks, run_micros)
            select 'cancelled', count(*), 0 from cancelled c having count(*) > 0
        ) select coalesce(array_agg(c.id), '{}') into taken from cancelled c;
        gone := gone || taken;
        exit when cardinality(gone) >= cardinality(ids);
    end loop;

    return query
        select u.id,
               case when u.id = any(gone) then 'changed' when d.id is not null then 'failed' when t.id is null then null
                    when o.id is not null then o.status::text else 'busy' end,
               null::bigint
        from unnest(ids) u(id)
        left join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
            and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
        left join ${schema}.task_outcome o on o.id = u.id and o.created_at = ${schema}.id_time(u.id)
        left join ${schema}.dead_letter d on d.id = u.id;
end $sweep$;

-- Puts waiting tasks to another rank or due time; null: as it is. Deletes and inserts, since entries are never updated.
-- Waits for nobody, like cancel_tasks.
create function ${schema}.move_tasks(ids bigint[], new_rank smallint, new_due_at timestamptz)
    returns table (task_id bigint, answer text, new_id bigint)
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
declare
    gone  bigint[] := '{}';
    taken bigint[];
begin
    for round in 1 .. 3 loop
        with asked as materialized (
            select t.id, t.queue, (10 - t.priority)::smallint as rank, t.due_at
            from unnest(ids) u(id)
            join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
                and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
            where u.id <> all(gone)
        ), unmoved as (
            delete from ${schema}.task_ready
            where ctid = any(array(
                select r.ctid
                from asked a
                join ${schema}.task_ready r
                    on r.queue = a.queue and r.rank = a.rank and r.due_at = a.due_at and r.id = a.id and not r.moved
                for update of r skip locked))
            returning *
        ), moved as (
            delete from ${schema}.task_ready
            where ctid = any(array(
                select r.ctid from asked a join ${schema}.task_ready r on r.id = a.id and r.moved
                for update of r skip locked))
            returning *
        ), moving as materialized (
            select * from unmoved union all select * from moved
        ), waiting as (
            insert into ${schema}.task_ready (queue, rank, due_at, id, type, retries, losses, moved)
            select m.queue, coalesce(new_rank, m.rank), coalesce(new_due_at, m.due_at), m.id, m.type, m.retries, m.losses,
                   true
            from moving m
        ) select coalesce(array_agg(m.id), '{}') into taken from moving m;
        gone := gone || taken;
        exit when cardinality(gone) >= cardinality(ids);
    end loop;

    return query
        select u.id,
               case when u.id = any(gone) then 'changed' when d.id is not null then 'failed' when t.id is null then null
                    when o.id is not null then o.status::text
                    when exists (select from ${schema}.task_running r where r.id = u.id) then 'processing'
                    else 'busy' end,
               null::bigint
        from unnest(ids) u(id)
        left join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
            and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
        left join ${schema}.task_outcome o on o.id = u.id and o.created_at = ${schema}.id_time(u.id)
        left join ${schema}.dead_letter d on d.id = u.id;
end $sweep$;

-- Makes new tasks of those that have failed, dead letters or not yet, or were cancelled, and removes these: the locked
-- outcome or dead letter decides, so that two requeues at once make one task, and the second answers with it. The dedup key
-- passes on if it still is the old task's; if another task took it over, the new one has none. The newest 100 failures stay
-- with the new task.
create function ${schema}.requeue_tasks(ids bigint[])
    returns table (task_id bigint, answer text, new_id bigint)
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
declare
    ended   bigint[]; -- of this round: ids that end here, the tasks that replace them, and when those were created
    letters bigint[];
    fresh   bigint[];
    created timestamptz[];
    keyed   bigint[]; -- of this round: which of them own a key, the key, and who inherits it
    keys    text[];
    heirs   bigint[];
    at      timestamptz;
    taken   bigint;
    all_ended bigint[] := '{}';
    all_fresh bigint[] := '{}';
begin
    -- A task that ends while it is looked at is met in the next round.
    for round in 1 .. 3 loop
        -- In id order, so that two requeues can't deadlock; whoever comes second waits here and then finds nothing.
        select array_agg(l.id) into ended from (
            select o.id
            from (select distinct a.id from unnest(ids) a(id)) u
            join ${schema}.task_outcome o on o.id = u.id and o.created_at = ${schema}.id_time(u.id)
            join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
                and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
            where o.status in ('failed', 'cancelled')
            order by o.id
            for update of o) l;
        -- After the outcomes, with a snapshot of its own: it sees what was waited for above because it was moved here.
        select array_agg(l.id) into letters from (
            select d.id
            from (select distinct a.id from unnest(ids) a(id)) u
            join ${schema}.dead_letter d on d.id = u.id
            order by d.id
            for update of d) l;
        ended := array(select u.id from unnest(ended || letters) u(id) order by u.id);
        exit when ended = '{}';

        fresh := '{}';
        created := '{}';
        for ord in 1 .. cardinality(ended) loop
            at := clock_timestamp();
            fresh[ord] := ${schema}.id_at(at, nextval('${schemaText}.task_seq'));
            created[ord] := at;
        end loop;

        -- In key order, as enqueues take them. One that someone is taking over right now is waited for.
        select coalesce(array_agg(l.old), '{}'), array_agg(l.key), array_agg(l.new) into keyed, keys, heirs from (
            select e.old, k.key, e.new
            from (
                select m.old, m.new, t.dedup_key
                from unnest(ended, fresh) m(old, new)
                join ${schema}.task t on t.id = m.old and t.created_at >= ${schema}.id_time(m.old)
                    and t.created_at < ${schema}.id_time(m.old) + interval '1 second'
                union all
                select m.old, m.new, d.dedup_key
                from unnest(ended, fresh) m(old, new)
                join ${schema}.dead_letter d on d.id = m.old) e
            join ${schema}.task_key k on k.key = e.dedup_key and k.id = e.old
            order by k.key
            for update of k) l;

        update ${schema}.task_key k
        set id = h.new
        from unnest(keyed, keys, heirs) h(old, key, new)
        where k.key = h.key and k.id = h.old;

        with tasks as (
            delete from ${schema}.task t
            using unnest(ended, fresh, created) m(old, new, created)
            where t.id = m.old and t.created_at >= ${schema}.id_time(m.old)
              and t.created_at < ${schema}.id_time(m.old) + interval '1 second'
            returning t.*, m.new, m.created
        ), outcomes as (
            delete from ${schema}.task_outcome o
            using tasks t
            where o.id = t.id and o.created_at = ${schema}.id_time(t.id)
            returning o.status, o.started_at, o.finished_at, o.losses, t.max_losses
        ), runs as (
            delete from ${schema}.task_failure f
            using tasks t
            where f.id = t.id and f.created_at = ${schema}.id_time(t.id)
            returning f.*, t.new
        ), dead as (
            delete from ${schema}.dead_letter d
            using unnest(ended, fresh, created) m(old, new, created)
            where d.id = m.old
            returning d.*, m.new, m.created
        ), old as (
            select t.id, t.new, t.created, t.max_retries, t.priority, t.max_losses, t.queue, t.type, t.dedup_key, t.headers,
                   t.payload
            from tasks t
            union all
            select d.id, d.new, d.created, d.max_retries, d.priority, d.max_losses, d.queue, d.type, d.dedup_key, d.headers,
                   d.payload
            from dead d
        ), stored as (
            insert into ${schema}.task (id, created_at, due_at, requeued_from, max_retries, priority, max_losses, queue,
                                        type, dedup_key, headers, payload)
            select o.new, o.created, o.created, o.id, o.max_retries, o.priority, o.max_losses, o.queue, o.type,
                   case when o.id = any(keyed) then o.dedup_key end, o.headers, o.payload
            from old o
        ), waiting as (
            insert into ${schema}.task_ready (queue, rank, due_at, id, type)
            select o.queue, 10 - o.priority, o.created, o.new, o.type from old o
        ), known as (
            select r.new, r.failed_at, r.lease, coalesce(r.ran_as, r.id) as ran_as, r.attempt, r.worker, r.error_class,
                   r.message
            from runs r
            union all
            select d.new, f.failed_at, f.lease, coalesce(f.ran_as, d.id), f.attempt, f.worker, f.error_class, f.message
            from dead d
            cross join lateral jsonb_to_recordset(d.failures) as f(
                failed_at timestamptz, lease bigint, ran_as bigint, attempt integer, worker text, error_class text,
                message text)
        ), carried as (
            insert into ${schema}.task_failure
                (id, created_at, failed_at, lease, ran_as, attempt, worker, error_class, message)
            select r.new, ${schema}.id_time(r.new), r.failed_at, r.lease, r.ran_as, r.attempt, r.worker, r.error_class,
                   r.message
            from (select x.*, row_number() over (partition by x.new order by x.lease desc) as age from known x) r
            where r.age <= 100
        ), counted as (
            select o.status, o.started_at, o.finished_at, o.losses, o.max_losses from outcomes o
            union all
            select 'failed', d.started_at, d.finished_at, d.losses, d.max_losses from dead d
        ), taken_off as (
            insert into ${schema}.stat_delta (status, tasks, run_micros)
            select c.status, -count(*),
                   -coalesce(sum(${schema}.counted_micros(c.started_at, c.finished_at, c.losses, c.max_losses))
                             filter (where c.status = 'failed'), 0)
            from counted c
            group by c.status
        ) select count(*) into taken from old;
        if taken <> cardinality(ended) then
            raise exception using errcode = '40001', message = 'a partition was detached under the requeue; try again';
        end if;

        all_ended := all_ended || ended;
        all_fresh := all_fresh || fresh;
    end loop;

    return query
        select u.id,
               case when m.new is not null then 'changed' when n.id is not null then 'before'
                    when d.id is not null then 'busy' when t.id is null then null
                    when o.status in ('failed', 'cancelled') then 'busy' when o.id is not null then o.status::text
                    when exists (select from ${schema}.task_running r where r.id = u.id) then 'processing'
                    else 'pending' end,
               coalesce(m.new, n.id)
        from unnest(ids) u(id)
        left join unnest(all_ended, all_fresh) m(old, new) on m.old = u.id
        left join ${schema}.task t on t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
            and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
        left join ${schema}.task_outcome o on o.id = u.id and o.created_at = ${schema}.id_time(u.id)
        left join ${schema}.dead_letter d on d.id = u.id
        left join lateral (
            select x.id from ${schema}.task x
            where t.id is null and d.id is null and m.new is null
              and x.requeued_from = u.id and x.created_at >= ${schema}.id_time(u.id)
            union all
            select x.id from ${schema}.dead_letter x
            where t.id is null and d.id is null and m.new is null and x.requeued_from = u.id
            limit 1) n on true;
end $sweep$;

-- The run time that a failed task has added to the totals; one that was lost once too often has added none.
create function ${schema}.counted_micros(
    started_at timestamptz, finished_at timestamptz, losses integer, max_losses integer) returns bigint
    language sql immutable parallel safe
    return case when losses <= max_losses
                then coalesce((extract(epoch from finished_at - started_at) * 1000000)::bigint, 0) else 0 end;

create function ${schema}.requeue_task(task_id bigint) returns bigint
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
declare
    said record;
begin
    select r.answer, r.new_id into said from ${schema}.requeue_tasks(array[task_id]) r;
    if said.answer = 'busy' then
        raise exception using errcode = '55P03', message = format('task %s is held by another transaction; try again', task_id);
    elsif said.answer not in ('changed', 'before') then
        raise exception using errcode = 'SW002',
            message = format('task %s is %s; only failed and cancelled tasks can be requeued', task_id, said.answer);
    end if;
    return said.new_id;
end $sweep$;

-- Moves one task and returns the status that it has now. A claim holds an entry for milliseconds, so it is waited for.
create function ${schema}.move_task(task_id bigint, new_rank smallint, new_due_at timestamptz) returns text
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
declare
    said text;
begin
    for look in 1 .. 50 loop
        select case when m.answer = 'changed' then 'pending' else m.answer end into said
        from ${schema}.move_tasks(array[task_id], new_rank, new_due_at) m;
        if said is distinct from 'busy' then return said; end if;
        perform pg_sleep(0.01);
    end loop;
    raise exception using errcode = '55P03', message = format('task %s is held by another transaction; try again', task_id);
end $sweep$;

create function ${schema}.reprioritise_task(task_id bigint, priority integer) returns text
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
begin
    if priority is null or priority not between 1 and 10 then
        raise exception using errcode = '22023',
            message = format('priority %s is out of range; use 1 to 10 (10 is the most urgent)',
                             coalesce(priority::text, 'null'));
    end if;
    return ${schema}.move_task(task_id, (10 - priority)::smallint, null);
end $sweep$;

create function ${schema}.reschedule_task(task_id bigint, due_at timestamptz) returns text
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
begin
    if due_at is null or due_at not between '2000-01-01T00:00:00Z' and '2200-01-01T00:00:00Z' then
        raise exception using errcode = '22023',
            message = format('due_at %s is out of range; use the years 2000 to 2200, such as now()',
                             coalesce(due_at::text, 'null'));
    end if;
    return ${schema}.move_task(task_id, null, due_at);
end $sweep$;

create function ${schema}.pause_queue(queue text) returns boolean
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
begin
    if queue is null or queue !~ '\S' or octet_length(queue) > 200 then
        raise exception using errcode = '22023',
            message = format('queue %L (%s bytes) is out of bounds; use 1 to 200 bytes of text, not blank',
                             left(queue, 40), coalesce(octet_length(queue), 0));
    end if;
    insert into ${schema}.queue (name) values (queue) on conflict do nothing;
    return found;
end $sweep$;

create function ${schema}.resume_queue(queue text) returns boolean
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
begin
    delete from ${schema}.queue q where q.name = queue collate "C";
    return found;
end $sweep$;

comment on function ${schema}.requeue_task(bigint) is 'Makes a new task of one that has failed or was cancelled, and returns its id; the same id again when repeated; null if there is no such task.';
comment on function ${schema}.reprioritise_task(bigint, integer) is 'Gives a waiting task another priority; returns the status that it has now, null if there is no such task.';
comment on function ${schema}.reschedule_task(bigint, timestamptz) is 'Gives a waiting task another due time; returns the status that it has now, null if there is no such task.';
comment on function ${schema}.pause_queue(text) is 'No worker claims from this queue until it is resumed; returns whether this call paused it.';
comment on function ${schema}.resume_queue(text) is 'Workers claim from this queue again; returns whether it was paused.';
