-- A task is a fact; its state is the table that holds it. A live task is in exactly one of task_ready and task_running,
-- a task with an outcome is in neither; every move is one statement that deletes the row and inserts the next.
-- ${schema} is the quoted schema; every name is written with it, so that no search_path can lead astray.

-- Which code may work on this schema. A newer version is fine for older code unless min_code_version is above its own.
create table ${schema}.schema_info (
    version          integer not null,
    min_code_version integer not null
);
insert into ${schema}.schema_info (version, min_code_version) values (1, 1);

-- Cached values would be stale when they meet the clock: see id_at.
create sequence ${schema}.task_seq as bigint cache 1;

-- 31 bits of seconds since 2020 and 22 bits of the sequence: time-ordered, exact as a JSON number (53 bits). Of immutable
-- parts only, so that calls are inlined: one that is not costs more than the row that it is for.
create function ${schema}.id_at(at timestamptz, n bigint) returns bigint
    language sql immutable strict parallel safe
    return (floor(date_part('epoch', at - timestamptz '2020-01-01T00:00:00Z'))::bigint << 22) | (n & 4194303);

-- The second that an id embeds: the second of created_at, so that an id alone finds its partition.
create function ${schema}.id_time(id bigint) returns timestamptz
    language sql immutable strict parallel safe
    return to_timestamp(((id >> 22) + 1577836800)::double precision);

-- What was asked. Written once, at enqueue. Wide columns last; a parent without a key of its own, so that weekly
-- partitions can come later: every leaf has PRIMARY KEY (id), and all tasks that could share an id lie in one leaf.
create table ${schema}.task (
    id            bigint      not null,
    created_at    timestamptz not null,
    due_at        timestamptz not null,
    requeued_from bigint, -- the ended task that this one replaced
    max_retries   integer     not null default 3,
    priority      smallint    not null default 1,
    max_losses    smallint    not null default 5,
    queue         text        collate "C" not null default 'default',
    type          text        collate "C" not null,
    dedup_key     text        collate "C",
    headers       jsonb,
    payload       jsonb       not null,
    constraint task_id_embeds_the_second_of_created_at check (
        (id >> 22) + 1577836800 = floor(date_part('epoch', created_at))),
    constraint task_priority_is_1_to_10 check (priority between 1 and 10),
    constraint task_max_retries_is_0_to_1000000 check (max_retries between 0 and 1000000),
    constraint task_max_losses_is_0_to_1000 check (max_losses between 0 and 1000),
    constraint task_due_at_is_in_2000_to_2200 check (due_at between '2000-01-01T00:00:00Z' and '2200-01-01T00:00:00Z'),
    constraint task_type_has_1_to_200_bytes check (octet_length(type) <= 200 and (type between '!' and '~' or type ~ '\S')),
    constraint task_queue_has_1_to_200_bytes check (octet_length(queue) <= 200 and (queue between '!' and '~' or queue ~ '\S')),
    constraint task_dedup_key_has_1_to_1024_bytes check (octet_length(dedup_key) <= 1024 and (dedup_key between '!' and '~' or dedup_key ~ '\S')),
    constraint task_headers_is_an_object check (jsonb_typeof(headers) = 'object'),
    constraint task_payload_has_at_most_64_mib check (pg_column_size(payload) <= 67108864)
) partition by range (created_at);

-- Who requeues a task again gets the same answer again. Only requeued tasks pay.
create index task_requeued on ${schema}.task (requeued_from) where requeued_from is not null;

-- How a task ended. Written once, at the end; created_at is id_time(id), so that it lies in the week of its task.
create table ${schema}.task_outcome (
    id          bigint      not null,
    created_at  timestamptz not null,
    started_at  timestamptz,
    finished_at timestamptz not null,
    lease       bigint,
    retries     integer     not null,
    losses      smallint    not null,
    status      text        collate "C" not null,
    worker      text,
    error       text,
    result      jsonb,
    constraint task_outcome_status_is_final check (status in ('succeeded', 'failed', 'cancelled'))
) partition by range (created_at);

-- Few tasks fail or are cancelled, so this costs the others nothing and finds these fast at any history.
create index task_outcome_failed on ${schema}.task_outcome (id) where status = 'failed';
create index task_outcome_cancelled on ${schema}.task_outcome (id) where status = 'cancelled';

-- One failed or lost run each.
create table ${schema}.task_failure (
    id          bigint      not null,
    created_at  timestamptz not null,
    failed_at   timestamptz not null,
    lease       bigint      not null,
    ran_as      bigint, -- the id of the task at that time, if it was requeued as this one since
    attempt     integer     not null,
    worker      text,
    error_class text        not null,
    message     text        not null
) partition by range (created_at);

-- Partitioning off: one leaf without bounds.
create table ${schema}.task_all (like ${schema}.task including all, primary key (id));
alter table ${schema}.task attach partition ${schema}.task_all for values from (minvalue) to (maxvalue);
create table ${schema}.task_outcome_all (like ${schema}.task_outcome including all, primary key (id));
alter table ${schema}.task_outcome attach partition ${schema}.task_outcome_all for values from (minvalue) to (maxvalue);
create table ${schema}.task_failure_all (like ${schema}.task_failure including all, primary key (id, lease));
alter table ${schema}.task_failure attach partition ${schema}.task_failure_all for values from (minvalue) to (maxvalue);

-- A task that waits. Narrow, hot, inserted and deleted but never updated; its primary key is the claim order.
create table ${schema}.task_ready (
    due_at  timestamptz not null,
    id      bigint      not null,
    retries integer     not null default 0,
    losses  smallint    not null default 0,
    rank    smallint    not null, -- 10 - priority: the most urgent first
    moved   boolean     not null default false, -- not as it was enqueued: retried, snoozed, lost, put elsewhere by hand
    queue   text        collate "C" not null,
    type    text        collate "C" not null,
    primary key (queue, rank, due_at, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Finds by id what may no longer be at the task's own rank and due time. Only such entries pay.
create index task_ready_moved on ${schema}.task_ready (id) where moved;

-- Tasks that were lost before are claimed apart from the others, few at a time.
create index task_ready_lost on ${schema}.task_ready (rank, due_at, id) where losses > 0;

-- An attempt under way. This row is the fence: whatever ends the attempt deletes it, and the deleted count decides.
create table ${schema}.task_running (
    lease   bigint      not null,
    id      bigint      not null,
    due_at  timestamptz not null,
    retries integer     not null,
    losses  smallint    not null,
    rank    smallint    not null,
    moved   boolean     not null,
    queue   text        collate "C" not null,
    type    text        collate "C" not null,
    primary key (lease, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- One claim. Heartbeats touch these rows, never the tasks; half-filled pages keep the updates in place.
create table ${schema}.task_lease (
    id          bigint      generated always as identity primary key,
    claimed_at  timestamptz not null,
    lease_until timestamptz not null,
    worker      text        not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

-- A dedup key that is taken. Never partitioned, so that uniqueness is real.
create table ${schema}.task_key (
    key            text        collate "C" primary key,
    id             bigint      not null,
    until_finished boolean     not null default false, -- free again when the task has an outcome
    until          timestamptz                         -- free again from then on
);

-- A queue that someone paused; no row: not paused.
create table ${schema}.queue (
    name      text        collate "C" primary key,
    paused_at timestamptz not null default clock_timestamp(),
    constraint queue_name_has_1_to_200_bytes check (octet_length(name) <= 200 and name ~ '\S')
);

-- What one batch of outcomes adds to the totals: counting without a scan and without a hot row. Maintenance folds the rows
-- into few, so that their sum touches few pages.
create table ${schema}.stat_delta (
    at         timestamptz not null default clock_timestamp(),
    status     text        collate "C" not null,
    tasks      bigint      not null,
    run_micros bigint      not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- A task that has failed for good, whole: its partition may go without it. Columns as in task, task_outcome and, as a
-- JSON array of objects, task_failure.
create table ${schema}.dead_letter (
    id            bigint      primary key,
    created_at    timestamptz not null,
    due_at        timestamptz not null,
    started_at    timestamptz,
    finished_at   timestamptz not null,
    moved_at      timestamptz not null default clock_timestamp(),
    requeued_from bigint,
    lease         bigint,
    max_retries   integer     not null,
    retries       integer     not null,
    priority      smallint    not null,
    max_losses    smallint    not null,
    losses        smallint    not null,
    queue         text        collate "C" not null,
    type          text        collate "C" not null,
    dedup_key     text        collate "C",
    worker        text,
    error         text,
    headers       jsonb,
    failures      jsonb       not null default '[]',
    payload       jsonb       not null
);

-- Retention takes the oldest first.
create index dead_letter_finished on ${schema}.dead_letter (finished_at, id);

-- As task_requeued.
create index dead_letter_requeued on ${schema}.dead_letter (requeued_from) where requeued_from is not null;

-- A worker process that runs, or ran not long ago. For people: nothing is decided by it.
create table ${schema}.worker (
    id          text        primary key, -- fresh per start
    started_at  timestamptz not null default clock_timestamp(),
    seen_at     timestamptz not null default clock_timestamp(),
    stopped_at  timestamptz,
    host        text        not null,
    pid         bigint      not null,
    version     text        not null,
    slots       integer     not null,
    listening   text        not null, -- how it hears of new tasks
    queues      text[]      not null,
    types       text[]      not null
);

-- Who maintains this schema now: at most one row. Whoever finds it lapsed takes it over.
create table ${schema}.maintenance_lease (
    only_one    boolean     primary key default true check (only_one),
    holder      text        not null,
    lease_until timestamptz not null,
    term        bigint      not null default 1 -- grows when the holder changes
);

-- One kind of maintenance: what came of its last run, and where its walk goes on.
create table ${schema}.maintenance_chore (
    name            text        primary key,
    started_at      timestamptz,          -- of the last run
    finished_at     timestamptz,
    succeeded_at    timestamptz,          -- the end of the last run that succeeded
    due_at          timestamptz not null default '-infinity',
    took            interval,
    rows            bigint,               -- that the last run changed
    total_rows      bigint      not null default 0,
    runs            bigint      not null default 0,
    failures        integer     not null default 0, -- in a row
    error           text,                 -- of the last run, if it failed
    note            text,                 -- what a person should know of it
    position        text
);

-- How long what is over stays, as someone has set it; null: the default. Here, since any process may come to lead.
create table ${schema}.maintenance_policy (
    only_one         boolean  primary key default true check (only_one),
    succeeded_for    interval,
    cancelled_for    interval,
    dead_letters_for interval,
    old_partitions   text     check (old_partitions in ('drop', 'keep', 'export')),
    changed_at       timestamptz not null default clock_timestamp(),
    constraint maintenance_policy_succeeded_for_is_0_to_36500_days
        check (extract(epoch from succeeded_for) between 0 and 36500 * 86400.0),
    constraint maintenance_policy_cancelled_for_is_0_to_36500_days
        check (extract(epoch from cancelled_for) between 0 and 36500 * 86400.0),
    constraint maintenance_policy_dead_letters_for_is_0_to_36500_days
        check (extract(epoch from dead_letters_for) between 0 and 36500 * 86400.0)
);

-- How task, task_outcome and task_failure are cut into partitions; no row: they are not.
create table ${schema}.partition_plan (
    only_one     boolean     primary key default true check (only_one),
    period       text        not null, -- week, day, month, or the name of an application's own
    first_bound  timestamptz not null, -- where the leaf ended that had no bound before
    chosen_at    timestamptz not null default clock_timestamp(),
    converted_at timestamptz           -- null: that leaf is not bounded yet
);

-- A range whose partitions retention takes away, and how far that has come.
create table ${schema}.partition_retired (
    name       text        primary key, -- as in task_<name>
    lower_at   timestamptz not null,
    upper_at   timestamptz not null,
    stage      text        not null,
    position   bigint,
    tasks      bigint,
    changed_at timestamptz not null default clock_timestamp(),
    note       text
);
