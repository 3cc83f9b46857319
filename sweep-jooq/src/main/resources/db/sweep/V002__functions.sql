-- Moves of a task that SQL callers and Java share, so that both obey one set of rules.
-- plpgsql under READ COMMITTED takes a new snapshot per statement; several steps below rely on it and say so.
-- The settings of each function pin the one good plan (index nested loops), and keep a caller's search_path out. What is
-- looked up for each row of a set is a sub-query with "offset 0", which is never turned into a join: a table that looked
-- empty when the plan was made would be read as a whole.

-- Whether tasks may be out of sight: a detach of their partition is not finished, retention has taken a range away and not
-- yet decided to keep it away, or their table was taken off by hand while a sister is attached. What is not seen then may
-- well be there. Asked only where a task was not seen, and by the snapshot that did not see it.
create function ${schema}.tasks_are_hidden() returns boolean
    language sql stable
    return exists (select from pg_catalog.pg_inherits i
                   where i.inhparent = '${schemaText}.task'::regclass and i.inhdetachpending)
        or exists (select from ${schema}.partition_retired r where r.stage in ('chosen', 'returning'))
        or exists (select from pg_catalog.pg_inherits i
                   join pg_catalog.pg_class s on s.oid = i.inhrelid
                   join pg_catalog.pg_class p on p.oid = i.inhparent
                   join pg_catalog.pg_class t on t.relnamespace = s.relnamespace and t.relkind = 'r'
                       and t.relname = ('task' || substr(s.relname::text, length(p.relname::text) + 1))::name
                   where i.inhparent in ('${schemaText}.task_failure'::regclass, '${schemaText}.task_outcome'::regclass)
                     and not t.relispartition);

-- Takes the dedup keys of a batch. Returns, per task, the id that owns its key: its own if it won or has none.
create function ${schema}.take_keys(
    ids bigint[], keys text[], until_finished boolean[], window_micros bigint[]) returns bigint[]
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan set jit = off
as $sweep$
declare
    owners bigint[];
    won    integer;
begin
    -- In key order, insert what is free and lock what is taken: whoever enqueues the same keys takes them in the same
    -- order, so batches can't deadlock. A key that someone inserts right now is waited for.
    insert into ${schema}.task_key as k (key, id, until_finished, until)
    select f.key, f.id, coalesce(f.until_finished, false), clock_timestamp() + f.window_micros * interval '1 microsecond'
    from (select distinct on (u.key collate "C") u.*
          from (select unnest(keys) as key, unnest(ids) as id, unnest(until_finished) as until_finished,
                       unnest(window_micros) as window_micros, generate_series(1, cardinality(keys)) as ord) u
          where u.key is not null order by u.key collate "C", u.ord) f
    order by f.key collate "C"
    on conflict (key) do update set id = k.id where false;
    get diagnostics won = row_count;
    if won = cardinality(array_remove(keys, null)) then
        return ids;
    end if;

    for look in 1 .. 2 loop
        -- A new statement, so a new snapshot: it sees the owner that the insert waited for, and its task.
        select array_agg(coalesce(k.id, u.id) order by u.ord) into owners
        from unnest(keys, ids) with ordinality as u(key, id, ord)
        left join lateral (
            select k.id from ${schema}.task_key k where k.key = u.key collate "C" offset 0) k on true;
        exit when look = 2 or owners = ids;

        -- Whoever lost asks whether the owner's protection has ended, by the owner's scope, and takes the key over if so.
        update ${schema}.task_key k
        set id = a.id, until_finished = coalesce(a.until_finished, false),
            until = clock_timestamp() + a.window_micros * interval '1 microsecond'
        from (select distinct on (u.key collate "C") u.*
              from unnest(keys, ids, owners, until_finished, window_micros)
                   with ordinality as u(key, id, owner, until_finished, window_micros, ord)
              where u.key is not null order by u.key collate "C", u.ord) a
        cross join lateral (
            select h.ctid from ${schema}.task_key h where h.key = a.key collate "C" and h.id = a.owner offset 0) p
        where k.ctid = p.ctid and a.owner <> a.id
          and (k.until <= clock_timestamp()
               or k.until_finished and exists (
                   select from ${schema}.task_outcome o where o.id = k.id and o.created_at = ${schema}.id_time(k.id))
               or not exists (
                   select from ${schema}.task t where t.id = k.id
                   and t.created_at >= ${schema}.id_time(k.id)
                   and t.created_at < ${schema}.id_time(k.id) + interval '1 second')
                  and (k.until_finished or not exists (select from ${schema}.dead_letter d where d.id = k.id))
                  and not (select ${schema}.tasks_are_hidden()));
        exit when not found;
    end loop;
    return owners;
end $sweep$;

-- Enqueues a batch. Answers, in the order of the input, the ids that now stand for the tasks, and whether this call made
-- them. All arrays have one length, but due_at, delay_micros, headers and the last four may be null as a whole. Part of
-- the caller's transaction.
create function ${schema}.enqueue_tasks(
    types text[], payloads text[], queues text[], priorities smallint[], max_retries integer[], max_losses smallint[],
    due_at timestamptz[], delay_micros bigint[], headers text[],
    dedup_keys text[], until_finished boolean[], window_micros bigint[], fail_on_duplicate boolean[],
    out task_ids bigint[], out is_new boolean[])
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
declare
    n       integer := cardinality(types);
    ids     bigint[];
    created timestamptz[];
begin
    -- Second and sequence value of the same moment: a stale one could meet its own residue 4.19 M ids later.
    select array_agg(${schema}.id_at(c.at, c.n)), array_agg(c.at) into ids, created
    from (select clock_timestamp() as at, nextval('${schemaText}.task_seq') as n from generate_series(1, n) offset 0) c;

    task_ids := ids;
    is_new := array_fill(true, array[n]);
    if dedup_keys is not null then
        task_ids := ${schema}.take_keys(ids, dedup_keys, until_finished, window_micros);
    end if;
    if task_ids <> ids then
        for ord in 1 .. n loop
            if task_ids[ord] <> ids[ord] then
                is_new[ord] := false;
                if fail_on_duplicate[ord] then
                    raise exception using errcode = 'SW001',
                        message = format('dedup key %L is taken by task %s', dedup_keys[ord], task_ids[ord]),
                        detail = task_ids[ord]::text, hint = dedup_keys[ord];
                end if;
            end if;
        end loop;
    end if;

    -- Arrays are unnested side by side in the select list: in the from clause each would be written to a store of its own
    -- first. Nothing is returned from the table, which whoever enqueues need not be allowed to read.
    insert into ${schema}.task (id, created_at, due_at, max_retries, priority, max_losses, queue, type, dedup_key,
                                headers, payload)
    select u.id, u.created, coalesce(u.due, u.created + u.delay * interval '1 microsecond', u.created), u.retries,
           u.priority, u.losses, u.queue, u.type, u.key, u.headers::jsonb, u.payload::jsonb
    from (select unnest(ids) as id, unnest(is_new) as is_new, unnest(created) as created, unnest(due_at) as due,
                 unnest(delay_micros) as delay, unnest(max_retries) as retries, unnest(priorities) as priority,
                 unnest(max_losses) as losses, unnest(queues) as queue, unnest(types) as type,
                 unnest(dedup_keys) as key, unnest(headers) as headers, unnest(payloads) as payload) u
    where u.is_new;

    insert into ${schema}.task_ready (queue, rank, due_at, id, type)
    select u.queue, 10 - u.priority, coalesce(u.due, u.created + u.delay * interval '1 microsecond', u.created), u.id, u.type
    from (select unnest(ids) as id, unnest(is_new) as is_new, unnest(created) as created, unnest(due_at) as due,
                 unnest(delay_micros) as delay, unnest(priorities) as priority, unnest(queues) as queue,
                 unnest(types) as type) u
    where u.is_new;
end $sweep$;

-- As enqueue_tasks, for one task: a caller who has no more waits for two plain inserts, and not for the plans of a batch.
create function ${schema}.enqueue_one(
    type text, payload text, queue text, priority smallint, max_retries integer, max_losses smallint,
    due_at timestamptz, delay_micros bigint, headers text,
    dedup_key text, until_finished boolean, window_micros bigint, fail_on_duplicate boolean,
    out task_id bigint, out is_new boolean)
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
#variable_conflict use_variable
declare
    created timestamptz := clock_timestamp();
    id      bigint      := ${schema}.id_at(created, nextval('${schemaText}.task_seq'));
    due     timestamptz := coalesce(due_at, created + delay_micros * interval '1 microsecond', created);
begin
    if dedup_key is not null then
        insert into ${schema}.task_key (key, id, until_finished, until)
        values (dedup_key, id, coalesce(until_finished, false), created + window_micros * interval '1 microsecond')
        on conflict (key) do nothing;
        if not found then
            -- Whether the key is free by now is asked, and told, in one place.
            select e.task_ids[1], e.is_new[1] into task_id, is_new
            from ${schema}.enqueue_tasks(
                array[type], array[payload], array[queue], array[priority], array[max_retries], array[max_losses],
                array[due_at], array[delay_micros], array[headers],
                array[dedup_key], array[until_finished], array[window_micros], array[fail_on_duplicate]) e;
            return;
        end if;
    end if;

    insert into ${schema}.task (id, created_at, due_at, max_retries, priority, max_losses, queue, type, dedup_key,
                                headers, payload)
    values (id, created, due, max_retries, priority, max_losses, queue, type, dedup_key, headers::jsonb, payload::jsonb);

    insert into ${schema}.task_ready (queue, rank, due_at, id, type)
    values (queue, 10 - priority, due, id, type);

    task_id := id;
    is_new := true;
end $sweep$;

-- What keeps a payload from being read back by every worker, as Java refuses it too; null: nothing. Short text can't be
-- nested too deeply nor hold too long a number, so only long ones are searched.
create function ${schema}.payload_flaw(payload jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $sweep$
declare
    json text := payload::text;
begin
    if payload is null or jsonb_typeof(payload) = 'null' then
        return 'is null; pass JSON, if need be {}';
    elsif octet_length(json) <= 1000 then
        return null;
    elsif jsonb_path_exists(payload, 'strict $.**{500} ? (@.type() == "array" || @.type() == "object")') then
        return 'is nested deeper than 500 levels; flatten it';
    elsif exists (
        select from regexp_split_to_table(regexp_replace(json, '"(\\.|[^"\\])*"', '', 'g'), '[^0-9.]+') number
        where length(replace(number, '.', '')) > 1000) then
        return 'has a number of more than 1000 digits when written out; store it as text';
    end if;
    return null;
end $sweep$;

create function ${schema}.enqueue_task(
    type text, payload jsonb, dedup_key text default null, priority integer default 1, max_retries integer default 3,
    queue text default 'default', due_at timestamptz default null)
    returns bigint
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
declare
    setting   text := coalesce(nullif(current_setting('sweep.max_payload_bytes', true), ''), '1048576');
    bytes     integer := octet_length(payload::text);
    flaw      text := ${schema}.payload_flaw(payload);
begin
    if setting !~ '^[0-9]{1,8}$' then
        raise exception using errcode = '22023',
            message = format('sweep.max_payload_bytes is %L; set it to a number of bytes up to 67108864', left(setting, 40));
    elsif bytes > setting::integer then
        raise exception using errcode = '54000',
            message = format('payload has %s bytes; at most %s are allowed', bytes, setting),
            hint = 'Store large data elsewhere and its address in the payload, or raise sweep.max_payload_bytes.';
    elsif flaw is not null then
        raise exception using errcode = case when payload is null then '22004' else '22023' end,
            message = format('payload %s', flaw);
    elsif type is null or type !~ '\S' or octet_length(type) > 200 then
        raise exception using errcode = '22023',
            message = format('type %L (%s bytes) is out of bounds; use 1 to 200 bytes of text, not blank',
                             left(type, 40), coalesce(octet_length(type), 0));
    elsif queue is null or queue !~ '\S' or octet_length(queue) > 200 then
        raise exception using errcode = '22023',
            message = format('queue %L (%s bytes) is out of bounds; use 1 to 200 bytes of text, not blank',
                             left(queue, 40), coalesce(octet_length(queue), 0));
    elsif dedup_key !~ '\S' or octet_length(dedup_key) > 1024 then
        raise exception using errcode = '22023',
            message = format('dedup_key %L (%s bytes) is out of bounds; use 1 to 1024 bytes of text, not blank, or null',
                             left(dedup_key, 40), octet_length(dedup_key));
    elsif priority is null or priority not between 1 and 10 then
        raise exception using errcode = '22023',
            message = format('priority %s is out of range; use 1 to 10 (10 is the most urgent)',
                             coalesce(priority::text, 'null'));
    elsif max_retries is null or max_retries not between 0 and 1000000 then
        raise exception using errcode = '22023',
            message = format('max_retries %s is out of range; use 0 to 1000000 (0 means one attempt)',
                             coalesce(max_retries::text, 'null'));
    elsif due_at not between '2000-01-01T00:00:00Z' and '2200-01-01T00:00:00Z' then
        raise exception using errcode = '22023',
            message = format('due_at %s is out of range; use the years 2000 to 2200, or null for now', due_at);
    end if;
    return (select e.task_id from ${schema}.enqueue_one(
        type, payload::text, queue, priority::smallint, max_retries, 5::smallint, due_at, null, null,
        dedup_key, false, null, false) e);
end $sweep$;

-- Cancels a task that has not ended and returns the status that it has now; null if there is no such task.
create function ${schema}.cancel_task(task_id bigint) returns text
    language plpgsql
    set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $sweep$
declare
    asked record;
    ended text;
begin
    select t.queue, (10 - t.priority)::smallint as rank, t.due_at into asked
    from ${schema}.task t
    where t.id = task_id and t.created_at >= ${schema}.id_time(task_id)
      and t.created_at < ${schema}.id_time(task_id) + interval '1 second';
    if not found then
        return (select 'failed' from ${schema}.dead_letter d where d.id = task_id);
    end if;
    -- Each look is a statement of its own; a task that moved from a place not yet looked at to one already passed is
    -- met in the next round.
    for round in 1 .. 1000 loop
        with gone as (
            delete from ${schema}.task_ready r
            where r.queue = asked.queue and r.rank = asked.rank and r.due_at = asked.due_at and r.id = task_id
            returning r.id, null::bigint as lease, r.retries, r.losses
        ) select ${schema}.record_cancelled(g.id, g.lease, g.retries, g.losses) into ended from gone g;
        if found then return ended; end if;

        with gone as (
            delete from ${schema}.task_ready r where r.id = task_id and r.moved
            returning r.id, null::bigint as lease, r.retries, r.losses
        ) select ${schema}.record_cancelled(g.id, g.lease, g.retries, g.losses) into ended from gone g;
        if found then return ended; end if;

        with gone as (
            delete from ${schema}.task_running r where r.id = task_id
            returning r.id, r.lease, r.retries, r.losses
        ) select ${schema}.record_cancelled(g.id, g.lease, g.retries, g.losses) into ended from gone g;
        if found then return ended; end if;

        select o.status into ended from ${schema}.task_outcome o
        where o.id = task_id and o.created_at = ${schema}.id_time(task_id);
        if found then return ended; end if;

        perform from ${schema}.dead_letter d where d.id = task_id;
        if found then return 'failed'; end if;

        perform from ${schema}.task t
        where t.id = task_id and t.created_at >= ${schema}.id_time(task_id)
          and t.created_at < ${schema}.id_time(task_id) + interval '1 second';
        if not found then return null; end if;
    end loop;
    raise exception using errcode = '40001', message = format(
        'task %s was met nowhere, or moves too fast to be cancelled; try again, or look for orphans (sweep doctor)', task_id);
end $sweep$;

-- The outcome of a task that cancel_task took off its place.
create function ${schema}.record_cancelled(task_id bigint, lease bigint, retries integer, losses smallint) returns text
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $sweep$
begin
    insert into ${schema}.task_outcome (id, created_at, finished_at, lease, retries, losses, status)
    values (task_id, ${schema}.id_time(task_id), clock_timestamp(), lease, retries, losses, 'cancelled');
    insert into ${schema}.stat_delta (status, tasks, run_micros) values ('cancelled', 1, 0);
    return 'cancelled';
end $sweep$;
