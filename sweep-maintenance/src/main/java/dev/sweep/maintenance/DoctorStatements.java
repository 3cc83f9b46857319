package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;

/**
 * Every statement of the {@link Doctor}, as text that pastes into psql. All of them only read; what
 * grows with the history or the backlog is looked at through an index and under a limit. Nothing that other sessions ran,
 * and no payload, is read.
 */
final class DoctorStatements {

    private final StoreDatabase database;

    DoctorStatements(StoreDatabase database) {
        this.database = database;
    }

    // @formatter:off

    /** The queues that have entries, at most a hundred: one probe of the primary key each. */
    private static final String QUEUES = """
            with recursive names(queue) as (
                (select r.queue from ${schema}.task_ready r order by r.queue limit 1)
                union all
                select (select r.queue from ${schema}.task_ready r where r.queue > n.queue order by r.queue limit 1)
                from names n
                where n.queue is not null
            ), queues as (
                select n.queue from names n where n.queue is not null limit 100
            )""";

    /** Attached partitions with their bounds; none is infinite. Needs plainDates. */
    private static final String LEAVES = """
            leaf as (
                select p.relname as parent, c.relname as leaf, i.inhdetachpending as is_pending,
                       b.text = 'DEFAULT' as is_default,
                       coalesce((regexp_match(b.text, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz, '-infinity') as lower_at,
                       coalesce((regexp_match(b.text, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz, 'infinity') as upper_at
                from pg_catalog.pg_inherits i
                join pg_catalog.pg_class c on c.oid = i.inhrelid
                join pg_catalog.pg_class p on p.oid = i.inhparent
                cross join lateral (select pg_catalog.pg_get_expr(c.relpartbound, c.oid)) b(text)
                where i.inhparent in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                      '${schemaText}.task_outcome'::regclass)
            )""";

    private static final String ALIVE = "w.stopped_at is null and w.seen_at > clock_timestamp() - interval '2 minutes'";

    String hasSchema() {
        return database.sql("select to_regclass('${schemaText}.schema_info') is not null");
    }

    String now() {
        return "select clock_timestamp()";
    }

    /** Bounds are read back as text, which depends on these. */
    String plainDates() {
        return "set local timezone = 'UTC'; set local datestyle = 'ISO'";
    }

    String invalidIndexes() {
        return database.sql("""
            select c.relname as name, t.relname as relation, pg_relation_size(c.oid) as bytes
            from pg_catalog.pg_index i
            join pg_catalog.pg_class c on c.oid = i.indexrelid
            join pg_catalog.pg_class t on t.oid = i.indrelid
            where t.relnamespace = (select k.relnamespace from pg_catalog.pg_class k
                                    where k.oid = '${schemaText}.task_ready'::regclass)
              and c.relkind = 'i' and not (i.indisvalid and i.indisready and i.indislive)
            order by 1
            limit 20
            """);
    }

    String leavesWithoutKey() {
        return database.sql("""
            select c.relname as leaf, case p.relname when 'task_failure' then 'id, lease' else 'id' end as key
            from pg_catalog.pg_inherits h
            join pg_catalog.pg_class c on c.oid = h.inhrelid
            join pg_catalog.pg_class p on p.oid = h.inhparent
            where h.inhparent in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                  '${schemaText}.task_outcome'::regclass)
              and not exists (select from pg_catalog.pg_index i
                              where i.indrelid = c.oid and i.indisprimary and i.indisvalid)
            order by 1
            limit 20
            """);
    }

    String unexpectedLeaves() {
        return database.sql("with " + LEAVES + """

            select leaf, is_default from leaf where is_default or is_pending order by leaf limit 20
            """);
    }

    /** Tables beside the partitions of which sisters are attached, though no retirement took them off. */
    String looseSisters() {
        return database.sql("with " + LEAVES + """

            select distinct c.relname as loose
            from leaf l
            cross join (values ('task'), ('task_failure'), ('task_outcome')) t(parent)
            join pg_catalog.pg_class c on c.relname = t.parent || substr(l.leaf, length(l.parent) + 1)
            where c.relnamespace = (select k.relnamespace from pg_catalog.pg_class k where k.oid = '${schemaText}.task'::regclass)
              and c.relkind = 'r' and not c.relispartition
              and not exists (select from ${schema}.partition_retired r
                              where r.name = substr(l.leaf, length(l.parent) + 2) and r.stage not in ('kept', 'dropped'))
            order by 1
            limit 20
            """);
    }

    String partitionPlan() {
        return database.sql("""
            select p.period, p.converted_at is not null as is_converted,
                   to_char(p.first_bound at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as first_bound,
                   floor(extract(epoch from p.first_bound - clock_timestamp()) / 3600)::bigint as hours_left
            from ${schema}.partition_plan p
            """);
    }

    /**
     * How many whole periods follow the present one without a gap, in the table that has the fewest; -1: not even the
     * present. Periods that the database does not know count as their partitions do. Seconds and end are null if the last
     * partition has none. No row without a plan.
     */
    String runway() {
        return database.sql("with recursive " + LEAVES + """
            , chain(parent, upper_at, n) as (
                select l.parent, l.upper_at, 0
                from leaf l
                where l.lower_at <= clock_timestamp() and l.upper_at > clock_timestamp() and not l.is_pending
                union all
                select l.parent, l.upper_at, c.n + 1
                from chain c
                join leaf l on l.parent = c.parent and l.lower_at = c.upper_at and not l.is_pending
            ), ends as (
                select t.parent, coalesce(max(c.n), -1) as n, max(c.upper_at) as upper_at
                from (values ('task'), ('task_failure'), ('task_outcome')) t(parent)
                left join chain c on c.parent = t.parent
                group by t.parent
            ), shortest as (
                select min(n) as n, case when min(n) >= 0 then nullif(min(upper_at), 'infinity') end as upper_at from ends
            )
            select case when s.n < 0 or s.upper_at is null or p.period not in ('day', 'week', 'month') then s.n
                        else (select count(*)
                              from generate_series(
                                  date_trunc(p.period, clock_timestamp(), 'UTC') + ('1 ' || p.period)::interval,
                                  s.upper_at - ('1 ' || p.period)::interval, ('1 ' || p.period)::interval)) end as periods,
                   case when s.n < 0 then 0 else extract(epoch from s.upper_at - clock_timestamp())::bigint end as seconds,
                   to_char(s.upper_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as until_at
            from shortest s
            cross join ${schema}.partition_plan p
            """);
    }

    /** What retention has begun and not moved for a day. */
    String stuckRetirements() {
        return database.sql("""
            select r.name, r.stage, r.note,
                   floor(extract(epoch from clock_timestamp() - r.changed_at) / 3600)::bigint as hours
            from ${schema}.partition_retired r
            where r.stage not in ('kept', 'dropped') and r.changed_at < clock_timestamp() - interval '1 day'
            order by r.lower_at
            limit 20
            """);
    }

    /**
     * Live tasks older than four weeks, where there are partitions. Reads all that waits, index entries only.
     * Parameter: limit.
     */
    String oldLiveTasks() {
        return database.sql("""
            select l.id
            from (select r.id from ${schema}.task_ready r
                  union all
                  select r.id from ${schema}.task_running r) l
            where l.id < ${schema}.id_at(clock_timestamp() - interval '28 days', 0)
              and exists (select from ${schema}.partition_plan)
            order by l.id
            limit ?
            """);
    }

    /**
     * How many attached partitions should have gone a day ago or earlier, and the end of the first, null if there is none.
     * Parameter: how many seconds finished tasks stay. Needs plainDates.
     */
    String lateRanges() {
        return database.sql("with " + LEAVES + """

            select count(*) as partitions, to_char(min(l.upper_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as upper_at
            from leaf l
            where l.parent = 'task' and l.upper_at < clock_timestamp() - ? * interval '1 second' - interval '1 day'
            """);
    }

    String liveWorkers() {
        return database.sql("select count(*) from ${schema}.worker w where " + ALIVE);
    }

    /** The oldest due entry of each queue, longest first: one probe of the primary key per queue and rank. */
    String oldestDue() {
        return database.sql(QUEUES + """

            select q.queue, floor(extract(epoch from clock_timestamp() - min(h.due_at)))::bigint as seconds,
                   exists (select from ${schema}.queue p where p.name = q.queue) as is_paused
            from queues q
            cross join generate_series(0, 9) k(rank)
            cross join lateral (
                select r.due_at
                from ${schema}.task_ready r
                where r.queue = q.queue and r.rank = k.rank::smallint and r.due_at <= statement_timestamp()
                order by r.due_at, r.id
                limit 1) h
            group by q.queue
            order by seconds desc, q.queue
            """);
    }

    /**
     * Types that no live worker of their queue runs, among the first due entries of each queue and rank: what nobody claims
     * is left there. None if no worker is alive. Parameter: limit.
     */
    String pendingOfUnknownType() {
        return database.sql(QUEUES + """
            , head as (
                select q.queue, h.type
                from queues q
                cross join generate_series(0, 9) k(rank)
                cross join lateral (
                    select r.type
                    from ${schema}.task_ready r
                    where r.queue = q.queue and r.rank = k.rank::smallint and r.due_at <= statement_timestamp()
                    order by r.due_at, r.id
                    limit 200) h
            )
            select h.queue, h.type, count(*) as tasks
            from head h
            where exists (select from ${schema}.worker w where ${alive})
              and not exists (select from ${schema}.worker w
                              where ${alive} and h.queue = any(w.queues) and h.type = any(w.types))
            group by h.queue, h.type
            order by tasks desc, h.queue, h.type
            limit ?
            """.replace("${alive}", ALIVE));
    }

    /**
     * Leases that hold something and were claimed in time to come, or end later than any that is allowed; a minute is left
     * to what sets clocks right all the time.
     */
    String leasesFromAhead() {
        return database.sql("""
            select count(*) as leases,
                   coalesce(floor(extract(epoch from max(l.lease_until) - clock_timestamp())), 0)::bigint as seconds
            from ${schema}.task_lease l
            where (l.claimed_at > clock_timestamp() + interval '1 minute'
                   or l.lease_until > clock_timestamp() + interval '1 day')
              and exists (select from ${schema}.task_running r where r.lease = l.id)
            """);
    }

    String lapsedLeases() {
        return database.sql("""
            select count(*) as leases,
                   coalesce(floor(extract(epoch from clock_timestamp() - min(l.lease_until))), 0)::bigint as seconds
            from ${schema}.task_lease l
            where l.lease_until < clock_timestamp()
              and exists (select from ${schema}.task_running r where r.lease = l.id)
            """);
    }

    /** One snapshot, and every move of a task is one transaction. Parameter: limit. */
    String orphans() {
        return database.sql("""
            with oldest as materialized (
                select t.id, t.queue, t.priority, t.due_at from ${schema}.task t order by t.id limit 10000
            ), unended as materialized (
                select o.*
                from oldest o
                where not exists (select from ${schema}.task_outcome x
                                  where x.id = o.id and x.created_at = ${schema}.id_time(o.id))
            )
            select u.id
            from unended u
            where not exists (select from ${schema}.task_running r where r.id = u.id)
              and not exists (select from ${schema}.task_ready w
                              where w.queue = u.queue and w.rank = (10 - u.priority)::smallint and w.due_at = u.due_at
                                and w.id = u.id)
              and not exists (select from ${schema}.task_ready w where w.id = u.id and w.moved)
            order by u.id
            limit ?
            """);
    }

    /** Every chore that has a row, with how late it is and how long ago it last succeeded (null: never). */
    String chores() {
        return database.sql("""
            select c.name, c.failures::bigint as failures,
                   case when isfinite(c.due_at)
                        then greatest(0, floor(extract(epoch from clock_timestamp() - c.due_at)))::bigint
                        else 0 end as late_seconds,
                   floor(extract(epoch from clock_timestamp() - c.succeeded_at))::bigint as success_seconds
            from ${schema}.maintenance_chore c
            order by c.name
            limit 50
            """);
    }

    /** A lease that ends beyond an hour was taken by a clock that was ahead; the next who looks takes it over. */
    String hasLeader() {
        return database.sql("""
            select exists (
                select from ${schema}.maintenance_lease l
                where l.lease_until > clock_timestamp() and l.lease_until <= clock_timestamp() + interval '1 hour')
            """);
    }

    /**
     * Who holds back the horizon of this database's tables, longest first. Transactions of other databases do only once
     * they have written: every snapshot begins before them then. Slots and standbys do not tell since when.
     */
    String horizonHolders() {
        return """
            select format('session %s of %s%s%s', a.pid, a.usename,
                          coalesce(' (' || nullif(a.application_name, '') || ')', ''), coalesce(', ' || a.state, '')) as who,
                   floor(extract(epoch from clock_timestamp() - a.xact_start))::bigint as seconds,
                   greatest(age(a.backend_xmin), age(a.backend_xid))::bigint as xids,
                   format('end it there, or here: select pg_terminate_backend(%s)', a.pid) as remedy
            from pg_catalog.pg_stat_activity a
            where a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
              and (a.datname = current_database() and a.backend_xmin is not null or a.backend_xid is not null)
            union all
            select format('prepared transaction %L of %s in database %s', x.gid, x.owner, x.database),
                   floor(extract(epoch from clock_timestamp() - x.prepared))::bigint, age(x.transaction)::bigint,
                   format('let its owner end it: commit prepared %L or rollback prepared %L', x.gid, x.gid)
            from pg_catalog.pg_prepared_xacts x
            union all
            select format('%s replication slot %s', case when s.active then 'active' else 'inactive' end, s.slot_name),
                   null, age(s.xmin)::bigint,
                   format('see why its reader is behind; if it is gone: select pg_drop_replication_slot(%L)', s.slot_name)
            from pg_catalog.pg_replication_slots s
            where s.xmin is not null
            union all
            select format('standby %s (hot_standby_feedback)', coalesce(nullif(r.application_name, ''), r.pid::text)),
                   null, age(r.backend_xmin)::bigint, 'end the long query there, or switch its hot_standby_feedback off'
            from pg_catalog.pg_stat_replication r
            where r.backend_xmin is not null
            order by seconds desc nulls last, xids desc
            limit 20
            """;
    }

    /** Whether there are sessions of this database whose transactions this role can't see. */
    String hiddenSessions() {
        return """
            select exists (select from pg_catalog.pg_stat_activity a
                           where a.datname = current_database() and a.query = '<insufficient privilege>')
            """;
    }

    String deadRows() {
        return database.sql("""
            select c.relname as name, pg_stat_get_live_tuples(c.oid) as live, pg_stat_get_dead_tuples(c.oid) as dead,
                   pg_total_relation_size(c.oid) as bytes
            from (values ('task_ready'), ('task_running'), ('task_lease'), ('task_key'), ('stat_delta')) t(name)
            join pg_catalog.pg_class c on c.oid = to_regclass('${schemaText}.' || t.name)
            order by 1
            """);
    }

    /** An estimate. */
    String statDeltas() {
        return database.sql("select pg_stat_get_live_tuples('${schemaText}.stat_delta'::regclass)");
    }

    /** Parents of partitions, where there are any, with the days since they were analysed or chosen. */
    String neverAnalyzed() {
        return database.sql("""
            select t.name, floor(extract(epoch from clock_timestamp()
                - coalesce(pg_stat_get_last_analyze_time(to_regclass('${schemaText}.' || t.name)), p.chosen_at)) / 86400)::bigint
                as days
            from (values ('task'), ('task_failure'), ('task_outcome')) t(name)
            cross join ${schema}.partition_plan p
            order by 1
            """);
    }

    String listening() {
        return database.sql("select w.listening, count(*) as workers from ${schema}.worker w where " + ALIVE
            + " group by w.listening order by 1 limit 20");
    }

    String settings() {
        return """
            select s.name, s.setting
            from pg_catalog.pg_settings s
            where s.name in ('autovacuum', 'track_counts', 'track_activities', 'fsync', 'full_page_writes',
                             'synchronous_commit', 'idle_in_transaction_session_timeout')
            """;
    }

    String tablesWithoutAutovacuum() {
        return database.sql("""
            select c.relname as name
            from pg_catalog.pg_class c
            cross join lateral unnest(c.reloptions) o(option)
            where c.relnamespace = (select k.relnamespace from pg_catalog.pg_class k
                                    where k.oid = '${schemaText}.task_ready'::regclass)
              and o.option in ('autovacuum_enabled=false', 'autovacuum_enabled=off', 'autovacuum_enabled=0',
                               'autovacuum_enabled=no')
            order by 1
            limit 20
            """);
    }

    /** Connections and locks: how many there can be, how many are in use or may be taken by one statement. */
    String room() {
        return database.sql("""
            select current_setting('max_connections')::bigint as max_connections,
                   (select sum(d.numbackends) from pg_catalog.pg_stat_database d)::bigint as used,
                   current_setting('max_locks_per_transaction')::bigint
                       * (current_setting('max_connections')::bigint + current_setting('max_prepared_transactions')::bigint)
                       as locks,
                   (select count(*) * 3
                    from pg_catalog.pg_inherits h
                    where h.inhparent in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                          '${schemaText}.task_outcome'::regclass)) as relations
            """);
    }

    // @formatter:on
}
