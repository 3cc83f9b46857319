package dev.sweep.jooq;

/**
 * Every hot statement, as text that pastes into psql once the schema is put in for {@code ${schema}} and the parameters
 * for the question marks.
 *
 * <p>Rules behind the shapes: a claim locks inside {@code ctid = any(array(...))}, which is run once by definition and
 * has one plan, where {@code in (select ... limit n)} may run again and take too many; ready and running rows are never
 * updated, so a ctid found in the statement is stable. Row sets come as arrays through {@code unnest}: one text for all
 * batch sizes. What is looked up for each of their rows stands in a sub-query with {@code offset 0}, which is never turned
 * into a join: a table that looks empty when the plan is made, as a queue's do at rest, would be joined by reading all of
 * it, also when it has filled. A task is fetched by id and the second that its id embeds, which prunes to one partition.
 * Time is the database's: {@code clock_timestamp()} for what is written, {@code statement_timestamp()} where an index is
 * searched (an index condition must be stable; every statement here is a transaction of its own, so the two agree).
 */
final class TaskStatements {

    private final SchemaName schema;

    TaskStatements(SchemaName schema) {
        this.schema = schema;
    }

    private String in(String sql) {
        return sql.replace("${schema}", schema.quoted()).replace("${schemaText}", schema.quotedInText());
    }

    // @formatter:off

    /** Parameters: the thirteen arrays of enqueue_tasks. Locks: the dedup keys. */
    String enqueue() {
        return in("""
            select task_ids, is_new
            from ${schema}.enqueue_tasks(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """);
    }

    /** Parameters: the thirteen of enqueue_one. Locks: the dedup key. */
    String enqueueOne() {
        return in("""
            select task_id, is_new
            from ${schema}.enqueue_one(?::text, ?::text, ?::text, ?::smallint, ?::integer, ?::smallint,
                                       ?::timestamptz, ?::bigint, ?::text, ?::text, ?::boolean, ?::bigint, ?::boolean)
            """);
    }

    /**
     * Moves due tasks from ready to running under one new lease and brings their payload. One probe of the primary key per
     * queue and rank, from the floor of that rank; a rank is probed only while there is room left, and rows are locked as
     * they are taken, so never more than the room. Without an outer ORDER BY: a sort would lock the room of every rank.
     * Tasks that were lost come through an index of their own; their queue is compared so that the primary key can't
     * serve: while the table is empty it looks as good, and the plan stays when it is full.
     *
     * <p>Parameters: queues, rooms, rooms per rank, the rank to begin with, floors (ten per queue, by rank), types; queues,
     * types, room for lost ones; worker, lease micros; queues. Rows, unordered: the tasks, without {@code max_retries}
     * where the task of the entry is not seen (see {@link #setAside}); and one without an id, with the database's time, how long it took to
     * find the entries, without moving them and reading their payload, and if none was found, when the next is due.
     */
    String claim() {
        return in("""
            with taken as (
                delete from ${schema}.task_ready
                where ctid = any(array(
                    select e.ctid
                    from unnest(?::text[], ?::int[], ?::int[]) with ordinality q(name, room, rank_room, n)
                    cross join lateral (
                        select p.ctid
                        from generate_series(0, 9) s(step)
                        cross join lateral (select (s.step + ?::int) % 10 as rank) k
                        cross join lateral (
                            select r.ctid
                            from ${schema}.task_ready r
                            where r.queue = q.name and r.rank = k.rank::smallint
                              and r.due_at >= (?::timestamptz[])[(q.n - 1) * 10 + k.rank + 1]
                              and r.due_at <= statement_timestamp()
                              and r.losses = 0 and r.type = any(?::text[])
                            order by r.due_at, r.id
                            limit q.rank_room
                            for update skip locked) p
                        limit q.room) e
                    where not exists (select from ${schema}.queue s where s.name = q.name)
                ) || array(
                    select r.ctid
                    from ${schema}.task_ready r
                    where r.losses > 0 and r.due_at <= statement_timestamp()
                      and r.queue || '' = any(?::text[]) and r.type = any(?::text[])
                      and not exists (select from ${schema}.queue s where s.name = r.queue)
                    order by r.rank, r.due_at, r.id
                    limit ?
                    for update of r skip locked
                ))
                returning id, due_at, retries, losses, rank, moved, queue, type
            ), leased as (
                insert into ${schema}.task_lease (worker, claimed_at, lease_until)
                select ?, clock_timestamp(), clock_timestamp() + ? * interval '1 microsecond'
                where exists (select from taken)
                returning id, claimed_at
            ), started as (
                insert into ${schema}.task_running (lease, id, due_at, retries, losses, rank, moved, queue, type)
                select l.id, k.id, k.due_at, k.retries, k.losses, k.rank, k.moved, k.queue, k.type
                from leased l cross join taken k
                returning lease, id, due_at, retries, losses, rank, queue, type
            )
            select s.lease, s.id, s.due_at, s.retries, s.losses, s.rank, s.queue, s.type, t.max_retries, t.headers,
                   t.payload, null::timestamptz as asked_at, null::bigint as look_micros, null::bigint as next_due_micros
            from started s
            left join lateral (
                select t.max_retries, t.headers, t.payload
                from ${schema}.task t
                where t.id = s.id and t.created_at >= ${schema}.id_time(s.id)
                  and t.created_at < ${schema}.id_time(s.id) + interval '1 second'
                offset 0) t on true
            union all
            select null, null, null, null, null, null, null, null, null, null, null, statement_timestamp(),
                   (date_part('epoch', coalesce(l.claimed_at, clock_timestamp()) - statement_timestamp()) * 1000000)::bigint,
                   case when l.id is null then (
                       select extract(epoch from min(n.due_at) - statement_timestamp()) * 1000000
                       from unnest(?::text[]) q(name)
                       cross join generate_series(0, 9) k(rank)
                       cross join lateral (
                           select r.due_at
                           from ${schema}.task_ready r
                           where r.queue = q.name and r.rank = k.rank::smallint
                             and r.due_at > statement_timestamp()
                           order by r.due_at
                           limit 1) n)::bigint
                   end
            from (values (1)) one left join leased l on true
            """);
    }

    /**
     * Ends runs that a claim began for entries whose task it did not see. Without a task the entry is removed, and told,
     * unless tasks may only be out of sight: then it waits a little longer. Those whose task is seen by now wait again where
     * they were.
     *
     * <p>Parameters: lease, ids. Answers the ids of those that were removed.
     */
    String setAside() {
        return in("""
            with gone as (
                delete from ${schema}.task_running
                where ctid = any(array(
                    select r.ctid from ${schema}.task_running r where r.lease = ? and r.id = any(?::bigint[])))
                returning *
            ), judged as materialized (
                select g.*, exists (
                    select from ${schema}.task t
                    where t.id = g.id and t.created_at >= ${schema}.id_time(g.id)
                      and t.created_at < ${schema}.id_time(g.id) + interval '1 second'
                    offset 0) as has_task
                from gone g
            ), hidden as materialized (
                select ${schema}.tasks_are_hidden() as are_hidden
            ), waiting as (
                insert into ${schema}.task_ready (queue, rank, due_at, id, type, retries, losses, moved)
                select j.queue, j.rank,
                       case when j.has_task then j.due_at else clock_timestamp() + interval '10 seconds' end, j.id, j.type,
                       j.retries, j.losses, j.moved or not j.has_task
                from judged j cross join hidden h
                where j.has_task or h.are_hidden
            )
            select j.id from judged j cross join hidden h where not j.has_task and not h.are_hidden
            """);
    }

    /**
     * Parameters: leases, ids, run micros, results (all of it null: none has one). Answers the accepted pairs. Locks:
     * their running rows, in the order given.
     */
    String complete() {
        return in("""
            with ended as (
                delete from ${schema}.task_running r
                using (select unnest(?::bigint[]) as lease, unnest(?::bigint[]) as id,
                              unnest(?::bigint[]) as run_micros, unnest(?::text[]) as result) u
                cross join lateral (
                    select h.ctid from ${schema}.task_running h where h.lease = u.lease and h.id = u.id offset 0) k
                where r.ctid = k.ctid
                returning r.lease, r.id, r.retries, r.losses, u.run_micros, u.result
            ), stored as (
                insert into ${schema}.task_outcome
                    (id, created_at, started_at, finished_at, lease, retries, losses, status, worker, result)
                select e.id, ${schema}.id_time(e.id), n.at - e.run_micros * interval '1 microsecond', n.at, e.lease,
                       e.retries, e.losses, 'succeeded', l.worker, e.result::jsonb
                from (select clock_timestamp() as at) n
                cross join ended e
                left join lateral (select l.worker from ${schema}.task_lease l where l.id = e.lease offset 0) l on true
            ), counted as (
                insert into ${schema}.stat_delta (status, tasks, run_micros)
                select 'succeeded', count(*), sum(e.run_micros) from ended e having count(*) > 0
            )
            select array_agg(lease), array_agg(id) from ended
            """);
    }

    /**
     * Parameters: leases, ids, run micros, when a retry is due (delays in micros, instants; neither: failed for good),
     * error classes, messages.
     * Answers the accepted pairs. Locks: their running rows, in the order given.
     */
    String fail() {
        return in("""
            with ended as (
                delete from ${schema}.task_running r
                using (select unnest(?::bigint[]) as lease, unnest(?::bigint[]) as id,
                              unnest(?::bigint[]) as run_micros, unnest(?::bigint[]) as delay,
                              unnest(?::timestamptz[]) as retry_at, unnest(?::text[]) as error_class,
                              unnest(?::text[]) as message) u
                cross join lateral (
                    select h.ctid from ${schema}.task_running h where h.lease = u.lease and h.id = u.id offset 0) k
                where r.ctid = k.ctid
                returning r.*, u.run_micros, u.delay, u.retry_at, u.error_class, u.message
            ), known as materialized (
                select e.*, n.at, l.worker, coalesce(e.retry_at, n.at + e.delay * interval '1 microsecond') as again_at
                from (select clock_timestamp() as at) n
                cross join ended e
                left join lateral (select l.worker from ${schema}.task_lease l where l.id = e.lease offset 0) l on true
            ), noted as (
                insert into ${schema}.task_failure
                    (id, created_at, failed_at, lease, attempt, worker, error_class, message)
                select k.id, ${schema}.id_time(k.id), k.at, k.lease, k.retries + 1, k.worker, k.error_class, k.message
                from known k
            ), waiting as (
                insert into ${schema}.task_ready (queue, rank, due_at, id, type, retries, losses, moved)
                select k.queue, k.rank, k.again_at, k.id, k.type, k.retries + 1, k.losses, true
                from known k
                where k.again_at is not null
            ), stored as (
                insert into ${schema}.task_outcome
                    (id, created_at, started_at, finished_at, lease, retries, losses, status, worker, error)
                select k.id, ${schema}.id_time(k.id), k.at - k.run_micros * interval '1 microsecond', k.at, k.lease,
                       k.retries, k.losses, 'failed', k.worker, k.message
                from known k
                where k.again_at is null
            ), counted as (
                insert into ${schema}.stat_delta (status, tasks, run_micros)
                select 'failed', count(*), sum(k.run_micros) from known k where k.again_at is null having count(*) > 0
            )
            select array_agg(lease), array_agg(id) from ended
            """);
    }

    /** Parameters: leases, ids, when they are due (delays in micros, instants). Answers the accepted pairs. */
    String snooze() {
        return in("""
            with ended as (
                delete from ${schema}.task_running r
                using (select unnest(?::bigint[]) as lease, unnest(?::bigint[]) as id,
                              unnest(?::bigint[]) as delay, unnest(?::timestamptz[]) as due_at) u
                cross join lateral (
                    select h.ctid from ${schema}.task_running h where h.lease = u.lease and h.id = u.id offset 0) k
                where r.ctid = k.ctid
                returning r.*, u.delay, u.due_at as asked_at
            ), waiting as (
                insert into ${schema}.task_ready (queue, rank, due_at, id, type, retries, losses, moved)
                select e.queue, e.rank,
                       coalesce(e.asked_at, clock_timestamp() + e.delay * interval '1 microsecond'), e.id, e.type,
                       e.retries, e.losses, true
                from ended e
            )
            select array_agg(lease), array_agg(id) from ended
            """);
    }

    /** Parameters: leases, ids, run micros, reasons. Answers the accepted pairs. */
    String cancelAttempts() {
        return in("""
            with ended as (
                delete from ${schema}.task_running r
                using (select unnest(?::bigint[]) as lease, unnest(?::bigint[]) as id,
                              unnest(?::bigint[]) as run_micros, unnest(?::text[]) as reason) u
                cross join lateral (
                    select h.ctid from ${schema}.task_running h where h.lease = u.lease and h.id = u.id offset 0) k
                where r.ctid = k.ctid
                returning r.lease, r.id, r.retries, r.losses, u.run_micros, u.reason
            ), stored as (
                insert into ${schema}.task_outcome
                    (id, created_at, started_at, finished_at, lease, retries, losses, status, worker, error)
                select e.id, ${schema}.id_time(e.id), n.at - e.run_micros * interval '1 microsecond', n.at, e.lease,
                       e.retries, e.losses, 'cancelled', l.worker, e.reason
                from (select clock_timestamp() as at) n
                cross join ended e
                left join lateral (select l.worker from ${schema}.task_lease l where l.id = e.lease offset 0) l on true
            ), counted as (
                insert into ${schema}.stat_delta (status, tasks, run_micros)
                select 'cancelled', count(*), 0 from ended e having count(*) > 0
            )
            select array_agg(lease), array_agg(id) from ended
            """);
    }

    /** Parameters: leases, ids. Answers the accepted pairs; each is back at the place it was claimed from. */
    String release() {
        return in("""
            with ended as (
                delete from ${schema}.task_running r
                using (select unnest(?::bigint[]) as lease, unnest(?::bigint[]) as id) u
                cross join lateral (
                    select h.ctid from ${schema}.task_running h where h.lease = u.lease and h.id = u.id offset 0) k
                where r.ctid = k.ctid
                returning r.*
            ), waiting as (
                insert into ${schema}.task_ready (queue, rank, due_at, id, type, retries, losses, moved)
                select e.queue, e.rank, e.due_at, e.id, e.type, e.retries, e.losses, e.moved from ended e
            )
            select array_agg(lease), array_agg(id) from ended
            """);
    }

    /**
     * Extends the leases that are named and hold something, drops those of this worker that hold nothing, and tells
     * which attempts are gone. A lapsed lease whose rows are still there is revived. Touches no task, and waits for
     * nobody: a lease that a reclaim is judging right now is left to it, and holds up none of the others.
     *
     * <p>Parameters: lease micros, leases; worker; asked leases, asked ids. Rows: (lease, null) for an extended lease,
     * (lease, id) for an attempt that is gone.
     */
    String heartbeat() {
        return in("""
            with extended as (
                update ${schema}.task_lease
                set lease_until = clock_timestamp() + ? * interval '1 microsecond'
                where id = any(array(
                    select l.id
                    from ${schema}.task_lease l
                    where l.id = any(?::bigint[])
                      and exists (select from ${schema}.task_running r where r.lease = l.id offset 0)
                    for no key update of l skip locked))
                returning id
            ), dropped as (
                delete from ${schema}.task_lease
                where id = any(array(
                    select l.id
                    from ${schema}.task_lease l
                    where l.worker = ?
                      and not exists (select from ${schema}.task_running r where r.lease = l.id offset 0)
                    for update of l skip locked))
            )
            select e.id as lease, null::bigint as id from extended e
            union all
            select a.lease, a.id
            from unnest(?::bigint[], ?::bigint[]) a(lease, id)
            where not exists (
                select from ${schema}.task_running r where r.lease = a.lease and r.id = a.id offset 0)
            """);
    }

    /**
     * Whether a lease has lapsed, or ends later than any that is allowed, or a running row names one that is not there. Locks
     * nothing.
     */
    String hasLost() {
        return in("""
            select exists (select from ${schema}.task_lease
                           where lease_until < clock_timestamp() or lease_until > clock_timestamp() + interval '1 day')
                or exists (select from ${schema}.task_running r
                           where not exists (select from ${schema}.task_lease l where l.id = r.lease offset 0))
            """);
    }

    /**
     * Before a reclaim: no configuration allows a lease of more than a day, so one that ends later was written while the clock
     * was ahead. It ends anew after its own length, as far as that can be told, so that a worker that lives has time for its
     * next beat, which sets it right. Parameters: least length in micros, limit.
     */
    String shortenLeases() {
        return in("""
            update ${schema}.task_lease
            set lease_until = clock_timestamp()
                + least(interval '1 day', greatest(? * interval '1 microsecond', lease_until - claimed_at))
            where id = any(array(
                select l.id
                from ${schema}.task_lease l
                where l.lease_until > clock_timestamp() + interval '1 day'
                order by l.id
                limit ?
                for no key update of l skip locked))
            """);
    }

    /**
     * First step of a reclaim: locks lapsed leases, so that no beat revives them while they are judged. None in the
     * first lease after a server start: no beat could come while it was down. A start that lies further ahead than that was
     * noted by a clock that was ahead. Parameters: grace micros, limit.
     */
    String lockLapsedLeases() {
        return in("""
            select l.id
            from (select ? * interval '1 microsecond' as length) grace
            cross join ${schema}.task_lease l
            where l.lease_until < clock_timestamp()
              and pg_postmaster_start_time() not between clock_timestamp() - grace.length and clock_timestamp() + grace.length
            order by l.id
            limit ?
            for update of l skip locked
            """);
    }

    /** Leases that running rows name but that are not there. Parameter: limit. */
    String missingLeases() {
        return in("""
            select distinct r.lease
            from ${schema}.task_running r
            where not exists (select from ${schema}.task_lease l where l.id = r.lease offset 0)
            limit ?
            """);
    }

    /**
     * Second step, a new statement and so a new snapshot: what still runs under those leases goes back to its place with
     * one more loss, or fails if that is over its limit. Rows that an outcome is taking right now are skipped.
     * Parameters: leases, limit. Rows: lease, id, whether the task has failed.
     */
    String reclaim() {
        return takingBack("""
            select r.ctid
            from ${schema}.task_running r
            where r.lease = any(?::bigint[])
            order by r.lease, r.id
            limit ?
            for update skip locked""");
    }

    /** The same for single attempts, whatever their lease. Parameters: leases, ids. */
    String lose() {
        return takingBack("""
            select k.ctid
            from unnest(?::bigint[], ?::bigint[]) u(lease, id)
            cross join lateral (
                select r.ctid
                from ${schema}.task_running r
                where r.lease = u.lease and r.id = u.id
                for update skip locked) k""");
    }

    private String takingBack(String those) {
        return in("""
            with lost as (
                delete from ${schema}.task_running
                where ctid = any(array(
            ${those}))
                returning *
            ), judged as materialized (
                select k.*, n.at, l.worker, l.claimed_at, t.id is not null as has_task,
                       t.id is not null and k.losses >= t.max_losses as over,
                       format('worker %s was lost while it ran this task (lease %s, loss %s of at most %s)',
                              coalesce(l.worker, 'unknown'), k.lease, k.losses + 1, t.max_losses) as message
                from (select clock_timestamp() as at) n
                cross join lost k
                left join lateral (
                    select l.worker, l.claimed_at from ${schema}.task_lease l where l.id = k.lease offset 0) l on true
                left join lateral (
                    select t.id, t.max_losses
                    from ${schema}.task t
                    where t.id = k.id and t.created_at >= ${schema}.id_time(k.id)
                      and t.created_at < ${schema}.id_time(k.id) + interval '1 second'
                    offset 0) t on true
            ), noted as (
                insert into ${schema}.task_failure
                    (id, created_at, failed_at, lease, attempt, worker, error_class, message)
                select j.id, ${schema}.id_time(j.id), j.at, j.lease, j.retries + 1, j.worker, 'worker lost', j.message
                from judged j
                where j.has_task
            ), waiting as (
                insert into ${schema}.task_ready (queue, rank, due_at, id, type, retries, losses, moved)
                select j.queue, j.rank, j.due_at, j.id, j.type, j.retries, j.losses + 1, true
                from judged j
                where not j.over
            ), stored as (
                insert into ${schema}.task_outcome
                    (id, created_at, started_at, finished_at, lease, retries, losses, status, worker, error)
                select j.id, ${schema}.id_time(j.id), j.claimed_at, j.at, j.lease, j.retries, j.losses + 1, 'failed',
                       j.worker, j.message
                from judged j
                where j.over
            ), counted as (
                insert into ${schema}.stat_delta (status, tasks, run_micros)
                select 'failed', count(*), 0 from judged j where j.over having count(*) > 0
            )
            select lease, id, over from judged
            """.replace("${those}", those));
    }

    /** Last step: removes the leases that hold nothing any more. Parameter: leases. */
    String dropEmptyLeases() {
        return in("""
            delete from ${schema}.task_lease l
            where l.id = any(?::bigint[])
              and not exists (select from ${schema}.task_running r where r.lease = l.id offset 0)
            """);
    }

    /** What a session can be set to for longer than a transaction: the names to be compared. */
    String sessionSettings() {
        return """
            select name from pg_catalog.pg_settings
            where (context = 'user' or name = 'session_replication_role') and name not like 'transaction\\_%'
            union values ('role'), ('session_authorization')
            order by 1
            """;
    }

    /**
     * An expression for everything that would outlive a transaction, as one number: settings (a literal array of names),
     * channels listened to, temporary objects, statements prepared by SQL, cursors held open.
     */
    static String sessionState(String names) {
        return """
            hashtextextended(format('%s/%s/%s/%s/%s',
                (select string_agg(coalesce(current_setting(n, true), ''), '/') from unnest($names) n),
                (select string_agg(c, '/' order by c) from pg_listening_channels() c),
                case when pg_my_temp_schema() <> 0 then (
                    select string_agg(d.objid::text, '/' order by d.objid) from pg_catalog.pg_depend d
                    where d.refclassid = 'pg_catalog.pg_namespace'::regclass and d.refobjid = pg_my_temp_schema()) end,
                (select string_agg(p.name, '/' order by p.name) from pg_catalog.pg_prepared_statements p where p.from_sql),
                (select string_agg(c.name, '/' order by c.name) from pg_catalog.pg_cursors c where c.is_holdable)), 0)
            """.replace("$names", names);
    }

    /**
     * Begins a handler's transaction and tells how to know it again: by its start, which no later transaction of the
     * session has. Assigns no transaction id: a handler that has not written yet holds no vacuum up.
     */
    static String beginHandler(String sessionState) {
        return """
            set transaction isolation level read committed;
            select (extract(epoch from transaction_timestamp()) * 1000000)::bigint,
                   current_setting('session_authorization'), current_setting('role'),
                   current_setting('statement_timeout'), current_setting('lock_timeout'),
            """ + sessionState;
    }

    /**
     * Whether a handler's transaction is still the one that began, and its transaction id, asked before its completion.
     * Who we are and how long we wait is again as it was at the beginning. From here on the server waits for the commit
     * only as long as the leases hold: a process that freezes in between must not keep the rows from being reclaimed.
     * A day at most, also for a lease that was written by a clock that was ahead.
     * Parameters: start; session authorization, twice; role, twice; statement and lock timeout; leases. Rows: whether;
     * then, of a second statement, which may need those rights: how many milliseconds the first of the leases still
     * holds, the transaction id.
     */
    String checkHandler() {
        return in("""
            select (extract(epoch from transaction_timestamp()) * 1000000)::bigint = ?,
                   case when current_setting('session_authorization') <> ?
                       then set_config('session_authorization', ?, true) end,
                   case when current_setting('role') <> ? then set_config('role', ?, true) end,
                   set_config('statement_timeout', ?, true), set_config('lock_timeout', ?, true);
            select l.millis, pg_current_xact_id()::text,
                   set_config('idle_in_transaction_session_timeout', l.millis::text, true)
            from (
                select least(86400000, greatest(
                    100, ceil(extract(epoch from min(l.lease_until) - clock_timestamp()) * 1000)))::int
                from ${schema}.task_lease l
                where l.id = any(?)) l(millis)
            """);
    }

    /** Which of these attempts run, asked after a rollback. Parameters: leases, ids. */
    String stillRunning() {
        return in("""
            select u.lease, u.id
            from unnest(?::bigint[], ?::bigint[]) u(lease, id)
            where exists (select from ${schema}.task_running r where r.lease = u.lease and r.id = u.id offset 0)
            """);
    }

    /**
     * Whether a transaction whose commit got no answer may yet be committed: it is under way, or this server, a standby,
     * can't know. SQLSTATE 22023 if the server never gave the id out. Parameter: transaction id.
     */
    String mayYetCommit() {
        return "select pg_is_in_recovery() or coalesce(pg_xact_status(cast(? as xid8)) = 'in progress', false)";
    }

    /** How many of these attempts have succeeded: an outcome names its lease. Parameters: leases, ids. */
    String succeeded() {
        return in("""
            select count(*)
            from unnest(?::bigint[], ?::bigint[]) u(lease, id)
            where exists (
                select from ${schema}.task_outcome o
                where o.id = u.id and o.created_at = ${schema}.id_time(u.id)
                  and o.lease = u.lease and o.status = 'succeeded'
                offset 0)
            """);
    }

    /**
     * The failed and lost runs of a task, from one week or its dead letter. Parameter: task id, three times. Oldest first:
     * a lease names one claim, and its number grows.
     */
    String failures() {
        return in("""
            select f.lease, f.ran_as, f.attempt, f.failed_at, f.worker, f.error_class, f.message
            from ${schema}.task_failure f
            where f.id = ? and f.created_at = ${schema}.id_time(?)
            union all
            select f.lease, f.ran_as, f.attempt, f.failed_at, f.worker, f.error_class, f.message
            from ${schema}.dead_letter d
            cross join lateral jsonb_to_recordset(d.failures) as f(
                lease bigint, ran_as bigint, attempt integer, failed_at timestamptz, worker text, error_class text,
                message text)
            where d.id = ?
            order by lease
            """);
    }

    /** Parameter: task id. Rows: of the view tasks, by its columns in their order. */
    String find() {
        return in("select * from ${schema}.find_task(?)");
    }

    /** Parameter: task id. */
    String cancel() {
        return in("select ${schema}.cancel_task(?)");
    }

    /** For changes by hand: at READ COMMITTED whatever the default, and no wait for one task is long. */
    String briefly() {
        return "set transaction isolation level read committed; set local lock_timeout = '2s'";
    }

    /** The same where one task must not hold up many. */
    String almostWithoutWaiting() {
        return "set transaction isolation level read committed; set local lock_timeout = '500ms'";
    }

    /** Parameter: ids. Rows: id, answer, new id; see V005__administration.sql. Waits for nobody. */
    String cancelAll() {
        return in("select task_id, answer, new_id from ${schema}.cancel_tasks(?)");
    }

    /** Parameter: ids. Rows as above. Locks: outcomes, then dead letters, in id order; then dedup keys in key order. */
    String requeueAll() {
        return in("select task_id, answer, new_id from ${schema}.requeue_tasks(?)");
    }

    /** Parameter: ids. Rows as above; see V006__dead_letters.sql. Locks as a requeue. */
    String deleteAll() {
        return in("select task_id, answer, new_id from ${schema}.delete_dead_letters(?)");
    }

    /** Parameters: ids, priority. Rows as above. Waits for nobody. */
    String reprioritiseAll() {
        return in("select task_id, answer, new_id from ${schema}.move_tasks(?, (10 - ?)::smallint, null)");
    }

    /** Parameters: ids, due time as text, {@code now} included. Rows as above. Waits for nobody. */
    String rescheduleAll() {
        return in("""
            select task_id, answer, new_id
            from ${schema}.move_tasks(?, null, coalesce(nullif(?, 'now')::timestamptz, clock_timestamp()))
            """);
    }

    /** Parameters: name, host, pid, version, slots, how it hears, queues, types. */
    String presentWorker() {
        return in("""
            insert into ${schema}.worker (id, host, pid, version, slots, listening, queues, types)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (id) do update
            set seen_at = clock_timestamp(), listening = excluded.listening, stopped_at = null
            """);
    }

    /** Parameter: name. */
    String stopWorker() {
        return in("""
            update ${schema}.worker
            set seen_at = clock_timestamp(), stopped_at = clock_timestamp()
            where id = ?
            """);
    }

    /** One row per worker; maintenance keeps them few. */
    String workers() {
        return in("""
            select w.id, w.started_at, w.seen_at, w.stopped_at, w.host, w.pid, w.version, w.slots, w.listening, w.queues,
                   w.types
            from ${schema}.worker w
            order by w.started_at desc, w.id
            """);
    }

    // @formatter:on
}
