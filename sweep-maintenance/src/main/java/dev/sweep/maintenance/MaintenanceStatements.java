package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;

/**
 * Every statement of the scheduler and its chores, as text that pastes into psql. Each is bounded by a limit or by the size of
 * a table that stays small, and none locks a table against reads, claims or outcomes.
 */
final class MaintenanceStatements {

    private final StoreDatabase database;

    MaintenanceStatements(StoreDatabase database) {
        this.database = database;
    }

    // @formatter:off

    // ---- who leads ----

    /** One row: who this role is, who owns the tables, and whether this role has the owner's rights; reads catalogs only. */
    String owner() {
        return database.sql("""
            select current_user::text as role, pg_catalog.pg_get_userbyid(c.relowner)::text as owner,
                   pg_catalog.pg_has_role(c.relowner, 'usage') as is_owner
            from pg_catalog.pg_class c
            where c.oid = '${schemaText}.task'::regclass
            """);
    }

    /**
     * Takes or keeps the lead. Parameters: holder, micros. Row: the term; none: someone else leads. Waits for a transaction
     * that takes or confirms the lead right now, and judges what that left. A lease that no configuration allows was written when
     * the clock was ahead, and counts as lapsed.
     */
    String lead() {
        return database.sql("""
            insert into ${schema}.maintenance_lease as l (holder, lease_until)
            values (?, clock_timestamp() + ? * interval '1 microsecond')
            on conflict (only_one) do update
            set holder = excluded.holder, lease_until = excluded.lease_until,
                term = case when l.holder = excluded.holder then l.term else l.term + 1 end
            where l.holder = excluded.holder or l.lease_until <= clock_timestamp()
               or l.lease_until > clock_timestamp() + interval '1 hour'
            returning l.term
            """);
    }

    /** Parameters: holder, term. A row: yes, and nobody takes over before this transaction ends. */
    String confirmLead() {
        return database.sql("""
            select l.term
            from ${schema}.maintenance_lease l
            where l.holder = ? and l.term = ?
            for share
            """);
    }

    /** Parameters: holder, term. The row stays, so that terms go on growing. */
    String releaseLead() {
        return database.sql("""
            update ${schema}.maintenance_lease l
            set lease_until = clock_timestamp()
            where l.holder = ? and l.term = ?
            """);
    }

    // ---- what came of the runs ----

    /** Parameter: names. */
    String enlist() {
        return database.sql("""
            insert into ${schema}.maintenance_chore (name)
            select n.name from unnest(?) n(name)
            on conflict do nothing
            """);
    }

    /**
     * Parameters: names; the longest wait of each, in micros. Rows: name, in how many microseconds it is due; soonest first.
     * A chore that would wait for longer was put off when the clock was ahead, and is due.
     */
    String agenda() {
        return database.sql("""
            select c.name,
                   case when c.due_at > clock_timestamp() + n.longest * interval '1 microsecond' then 0
                        else (extract(epoch from greatest(c.due_at, '2000-01-01T00:00:00Z') - clock_timestamp())
                              * 1000000)::bigint
                   end as due_in
            from unnest(?, ?) n(name, longest)
            join ${schema}.maintenance_chore c on c.name = n.name
            order by due_in, c.name
            """);
    }

    /** Parameter: name. One row. */
    String startChore() {
        return database.sql("""
            update ${schema}.maintenance_chore c
            set started_at = clock_timestamp()
            where c.name = ?
            returning c.started_at, c.position, c.runs
            """);
    }

    /**
     * Parameters: micros that it took; rows, twice; note; in how many micros it is due; the number of runs before it; the new
     * position; name. A position that another run has kept meanwhile stays.
     */
    String choreSucceeded() {
        return database.sql("""
            update ${schema}.maintenance_chore c
            set finished_at = clock_timestamp(), succeeded_at = clock_timestamp(),
                took = ? * interval '1 microsecond', rows = ?, total_rows = c.total_rows + ?, runs = c.runs + 1,
                failures = 0, error = null, note = ?,
                due_at = clock_timestamp() + ? * interval '1 microsecond',
                position = case when c.runs = ? then ? else c.position end
            where c.name = ?
            """);
    }

    /**
     * Parameters: micros that it took; error; micros until it runs again after a first failure, and at most; name. The wait
     * is doubled with each failure in a row, and between half of that and all of it.
     */
    String choreFailed() {
        return database.sql("""
            update ${schema}.maintenance_chore c
            set finished_at = clock_timestamp(), took = ? * interval '1 microsecond', rows = 0, runs = c.runs + 1,
                failures = c.failures + 1, error = ?,
                due_at = clock_timestamp() + (0.5 + random() / 2) * interval '1 microsecond'
                         * least(?::bigint * power(2, least(c.failures, 20)), ?::bigint)
            where c.name = ?
            """);
    }

    /** One row per chore, by name. */
    String chores() {
        return database.sql("""
            select c.name, nullif(c.due_at, '-infinity') as due_at, c.started_at, c.succeeded_at,
                   (extract(epoch from c.took) * 1000000)::bigint as took_micros, coalesce(c.rows, 0) as rows, c.total_rows,
                   c.runs, c.failures, c.error, c.note
            from ${schema}.maintenance_chore c
            order by c.name
            """);
    }

    // ---- what stays how long ----

    /** At most one row; null: not set. */
    String policy() {
        return database.sql("""
            select (extract(epoch from p.succeeded_for) * 1000000)::bigint as succeeded,
                   (extract(epoch from p.cancelled_for) * 1000000)::bigint as cancelled,
                   (extract(epoch from p.dead_letters_for) * 1000000)::bigint as dead_letters, p.old_partitions
            from ${schema}.maintenance_policy p
            """);
    }

    /** Parameters: micros of succeeded, cancelled, dead letters; fate of partitions. Null: leaves what is set. */
    String choosePolicy() {
        return database.sql("""
            insert into ${schema}.maintenance_policy as p (succeeded_for, cancelled_for, dead_letters_for, old_partitions)
            values (make_interval(secs => ?::bigint / 1000000.0), make_interval(secs => ?::bigint / 1000000.0),
                    make_interval(secs => ?::bigint / 1000000.0), ?)
            on conflict (only_one) do update
            set succeeded_for = coalesce(excluded.succeeded_for, p.succeeded_for),
                cancelled_for = coalesce(excluded.cancelled_for, p.cancelled_for),
                dead_letters_for = coalesce(excluded.dead_letters_for, p.dead_letters_for),
                old_partitions = coalesce(excluded.old_partitions, p.old_partitions), changed_at = clock_timestamp()
            """);
    }

    // ---- dead letters, totals, workers ----

    /** Parameter: how many. One row: how many were moved. */
    String moveDeadLetters() {
        return database.sql("select ${schema}.move_dead_letters(null, ?)");
    }

    /** Parameters: finished before, how many. One row: how many were removed. */
    String purgeDeadLetters() {
        return database.sql("select ${schema}.purge_dead_letters(?::timestamptz, ?)");
    }

    /** Parameter: at most how many. One row: how many rows the totals have, counted that far. */
    String countTotals() {
        return database.sql("""
            select count(*) from (select from ${schema}.stat_delta limit ?) d
            """);
    }

    /**
     * Folds rows into one per status, in one statement, so that every snapshot has the same sums. Parameter: how many rows.
     * Answers how many were folded. Rows that another fold has locked stay with it.
     */
    String foldTotals() {
        return database.sql("""
            with folded as (
                delete from ${schema}.stat_delta
                where ctid = any(array(select d.ctid from ${schema}.stat_delta d limit ? for update skip locked))
                returning at, status, tasks, run_micros
            ), kept as (
                insert into ${schema}.stat_delta (at, status, tasks, run_micros)
                select max(f.at), f.status, sum(f.tasks), sum(f.run_micros)
                from folded f
                group by f.status
                having sum(f.tasks) <> 0 or sum(f.run_micros) <> 0
            )
            select count(*) from folded
            """);
    }

    /** Parameters: micros, how many. Those that were not seen for so long. */
    String purgeWorkers() {
        return database.sql("""
            delete from ${schema}.worker
            where id = any(array(
                select w.id
                from ${schema}.worker w
                where coalesce(w.stopped_at, w.seen_at) < clock_timestamp() - ? * interval '1 microsecond'
                order by w.id
                limit ?
                for update skip locked))
            """);
    }

    // ---- finished tasks ----

    /** Index nested loops, and partitions found by id: the one good plan, whatever the statistics say. */
    String onePlan() {
        return "set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off;"
                + " set local jit = off";
    }

    /** Bounds are read back as text, which depends on these. */
    String plainDates() {
        return "set local timezone = 'UTC'; set local datestyle = 'ISO'";
    }

    /**
     * The outcomes' leaves whose tasks go row by row, oldest first: the one without an upper bound; and, if partitions are
     * dropped, the one without a lower bound, and those that were to go whole and have stayed for a day, such as for one task
     * that waits for years. A range that is to be kept or exported is left as it is. Parameters: whether partitions are
     * dropped; how many micros finished tasks stay. Rows: name, quoted and with its schema; the first id in it and the first
     * id after it.
     */
    String leavesToWalk() {
        return database.sql("""
            select pg_catalog.format('%I.%I', n.nspname, c.relname) as leaf,
                   coalesce(${schema}.id_at(x.lower_at, 0), 0) as from_id,
                   coalesce(${schema}.id_at(x.upper_at, 0), 9223372036854775807) as to_id
            from pg_catalog.pg_inherits i
            join pg_catalog.pg_class c on c.oid = i.inhrelid
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            cross join lateral (select pg_catalog.pg_get_expr(c.relpartbound, c.oid)) b(text)
            cross join lateral (
                select (regexp_match(b.text, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz as lower_at,
                       (regexp_match(b.text, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as upper_at) x
            where i.inhparent = '${schemaText}.task_outcome'::regclass and not i.inhdetachpending
              and (x.upper_at is null
                   or ? and (x.lower_at is null
                             or x.upper_at < clock_timestamp() - ? * interval '1 microsecond' - interval '1 day'))
            order by from_id
            """);
    }

    /**
     * Looks at the next outcomes in the order of their primary key, up to a time that must be stable to bound the search of
     * it: else each run walks all that has finished since. Parameters: after which id, created how many micros ago
     * at least, how many. One row: how many, the last id, how many have no task, the first three of those.
     */
    String lookAtOutcomes(String leaf) {
        return database.sql("""
            with looked as materialized (
                select o.id
                from ${leaf} o
                where o.id > ? and o.id < ${schema}.id_at(statement_timestamp() - ? * interval '1 microsecond', 0)
                order by o.id
                limit ?
            ), odd as materialized (
                select l.id
                from looked l
                where not exists (
                    select from ${schema}.task t
                    where t.id = l.id and t.created_at >= ${schema}.id_time(l.id)
                      and t.created_at < ${schema}.id_time(l.id) + interval '1 second')
            )
            select (select count(*) from looked) as looked, (select max(l.id) from looked l) as last_id,
                   (select count(*) from odd) as odd,
                   (select string_agg(f.id::text, ', ') from (select o.id from odd o order by o.id limit 3) f) as odd_ids
            """.replace("${leaf}", leaf));
    }

    /**
     * Locks what is past its retention. An outcome never changes, so being locked it is as it was judged. Parameters: after
     * which id; up to which id; retention of succeeded, of cancelled in micros. Rows: id.
     */
    String lockFinished(String leaf) {
        return database.sql("""
            select o.id
            from ${leaf} o
            where o.id > ? and o.id <= ?
              and o.finished_at < clock_timestamp()
                  - case o.status when 'succeeded' then ? when 'cancelled' then ? end * interval '1 microsecond'
            order by o.id
            for update skip locked
            """.replace("${leaf}", leaf));
    }

    /** Locks their keys, in key order, as enqueues take them. Parameter: ids. Rows: id. */
    String lockKeysOf() {
        return database.sql("""
            select k.id
            from (
                select t.id, t.dedup_key
                from unnest(?) u(id)
                cross join lateral (
                    select t.id, t.dedup_key
                    from ${schema}.task t
                    where t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
                      and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
                    offset 0) t
                order by t.dedup_key) t
            cross join lateral (
                select k.id
                from ${schema}.task_key k
                where k.key = t.dedup_key and k.id = t.id
                for update skip locked) k
            """);
    }

    /**
     * Deletes finished tasks with all that is theirs, but those whose key an enqueue judges right now, and those without a
     * task row. Joined to the keys and not asked whether one exists: beside an {@code or}, that may read them all. Parameters:
     * ids; ids whose keys are locked. One row: how many. The totals lose what was added to them.
     */
    String deleteFinished() {
        return database.sql("""
            with going as materialized (
                select u.id, t.dedup_key, l.id is not null as has_key
                from unnest(?) u(id)
                cross join lateral (
                    select t.id, t.dedup_key
                    from ${schema}.task t
                    where t.id = u.id and t.created_at >= ${schema}.id_time(u.id)
                      and t.created_at < ${schema}.id_time(u.id) + interval '1 second'
                    offset 0) t
                left join (select distinct k.id from unnest(?) k(id)) l on l.id = u.id
                left join lateral (
                    select k.key from ${schema}.task_key k where k.key = t.dedup_key and k.id = t.id offset 0) k on true
                where l.id is not null or k.key is null
            ), tasks as (
                delete from ${schema}.task t
                using going g
                where t.id = g.id and t.created_at >= ${schema}.id_time(g.id)
                  and t.created_at < ${schema}.id_time(g.id) + interval '1 second'
                returning t.id
            ), outcomes as (
                delete from ${schema}.task_outcome o
                using tasks t
                where o.id = t.id and o.created_at = ${schema}.id_time(t.id)
                returning o.status, o.started_at, o.finished_at
            ), failures as (
                delete from ${schema}.task_failure f
                using going g
                where f.id = g.id and f.created_at = ${schema}.id_time(g.id)
            ), keys as (
                delete from ${schema}.task_key k
                using going g
                where g.has_key and k.key = g.dedup_key and k.id = g.id
            ), counted as (
                insert into ${schema}.stat_delta (status, tasks, run_micros)
                select o.status, -count(*),
                       -coalesce(sum(extract(epoch from o.finished_at - o.started_at) * 1000000)
                                 filter (where o.status = 'succeeded'), 0)::bigint
                from outcomes o
                group by o.status
            )
            select count(*) from outcomes
            """);
    }

    /** How many the walk has still to look at, counted up to a limit. Parameters: after which id, micros, limit. */
    String countLeft(String leaf) {
        return database.sql("""
            select count(*) from (
                select from ${leaf} o
                where o.id > ? and o.id < ${schema}.id_at(statement_timestamp() - ? * interval '1 microsecond', 0)
                limit ?) l
            """.replace("${leaf}", leaf));
    }

    // ---- dedup keys ----

    /**
     * Looks at the next keys in their order. Parameters: after which key, how many. Rows: key; whether its owner's protection
     * has ended, as an enqueue would judge.
     */
    String lookAtKeys() {
        return database.sql("""
            select k.key, ${hasEnded} as has_ended
            from ${schema}.task_key k
            where k.key > ?
            order by k.key
            limit ?
            """.replace("${hasEnded}", KEY_HAS_ENDED));
    }

    /** Parameter: keys. Rows: key. Those that an enqueue takes over right now stay with it. */
    String lockKeys() {
        return database.sql("""
            select k.key
            from ${schema}.task_key k
            where k.key = any(?)
            order by k.key
            for update skip locked
            """);
    }

    /** Judges locked keys anew, since one may have been taken over before it was locked. Parameter: keys. */
    String deleteEndedKeys() {
        return database.sql("""
            delete from ${schema}.task_key k
            where k.key = any(?) and ${hasEnded}
            """.replace("${hasEnded}", KEY_HAS_ENDED));
    }

    /** The rule of take_keys. */
    private static final String KEY_HAS_ENDED = """
        (k.until <= clock_timestamp()
         or k.until_finished and exists (
             select from ${schema}.task_outcome o where o.id = k.id and o.created_at = ${schema}.id_time(k.id))
         or not exists (
             select from ${schema}.task t where t.id = k.id
             and t.created_at >= ${schema}.id_time(k.id)
             and t.created_at < ${schema}.id_time(k.id) + interval '1 second')
            and (k.until_finished or not exists (select from ${schema}.dead_letter d where d.id = k.id))
            and not (select ${schema}.tasks_are_hidden())) is true""";

    // ---- statistics ----

    /**
     * Rows: table, quoted and with its schema; of those that need it now. Autovacuum never analyses partitioned parents, and
     * may leave a table alone that gets few rows. Not every version knows when a parent was analysed. Parameter: whether the
     * parents need it.
     */
    String tablesToAnalyse() {
        return database.sql("""
            select pg_catalog.format('%I.%I', s.schemaname, s.relname) as name, c.relkind = 'p' as is_parent
            from pg_catalog.pg_stat_all_tables s
            join pg_catalog.pg_class c on c.oid = s.relid
            where c.relnamespace = '${schemaText}'::regnamespace
              and case when c.relkind = 'p' then ?
                       else s.last_analyze is null and s.last_autoanalyze is null and s.n_live_tup > 1000 end
              and (c.relkind = 'p' or c.relispartition or c.relname in ${ours})
              and pg_catalog.pg_has_role(c.relowner, 'usage')
            order by c.relkind <> 'p', s.relname
            """.replace("${ours}", OUR_TABLES));
    }

    /** Runs alone, so that each leaf is a transaction. Locks: SHARE UPDATE EXCLUSIVE. Leaves have autovacuum. */
    String analyse(String table, boolean isParent, int serverVersion) {
        return "analyze (skip_locked) " + (isParent && serverVersion >= 180000 ? "only " : "") + table;
    }

    String serverVersion() {
        return "select current_setting('server_version_num')::integer";
    }

    // ---- indexes ----

    /** An application may keep tables of its own in the schema. */
    private static final String OUR_TABLES = """
        ('task_ready', 'task_running', 'task_lease', 'task_key', 'stat_delta', 'dead_letter', 'worker', 'queue')""";

    /**
     * Rows: index, table, bytes, and the bytes that a fresh one would have by estimate; of valid B-tree indexes of tables
     * without partitions. Only catalogs are read.
     *
     * <p>The estimate is that of the PostgreSQL wiki's "Index bloat" query (github.com/ioguix/pgsql-bloat-estimation,
     * btree_bloat.sql), reduced: a tuple is 8 bytes of header, the key's average width rounded up to 8, and 4 bytes of line
     * pointer; a page has 8192 - 24 - 16 bytes and is filled to 90 %. Rows are the larger of what the catalog and what the
     * running statistics say, so that a table that was just filled is not taken for bloat.
     */
    String indexSizes() {
        return database.sql("""
            select pg_catalog.format('%I.%I', n.nspname, i.relname) as name, t.relname as table_name, i.relname as index_name,
                   pg_catalog.pg_relation_size(i.oid) as bytes,
                   8192 + ceil(greatest(i.reltuples, case when x.indpred is null then s.n_live_tup end, 0)
                               * (12 + 8 * ceil(k.width / 8.0)) / ((8192 - 40) * 0.9))::bigint * 8192 as fresh_bytes
            from pg_catalog.pg_index x
            join pg_catalog.pg_class i on i.oid = x.indexrelid
            join pg_catalog.pg_class t on t.oid = x.indrelid
            join pg_catalog.pg_namespace n on n.oid = i.relnamespace
            join pg_catalog.pg_am a on a.oid = i.relam and a.amname = 'btree'
            join pg_catalog.pg_stat_all_tables s on s.relid = t.oid
            cross join lateral (
                select sum(coalesce(w.stawidth, nullif(greatest(c.attlen, 0), 0), 32)) as width
                from pg_catalog.pg_attribute c
                left join pg_catalog.pg_attribute b on b.attrelid = t.oid and b.attname = c.attname
                left join (select p.attname, p.avg_width as stawidth from pg_catalog.pg_stats p
                           where p.schemaname = n.nspname and p.tablename = t.relname) w on w.attname = b.attname
                where c.attrelid = i.oid and not c.attisdropped) k
            where n.oid = '${schemaText}'::regnamespace and x.indisvalid and t.relkind = 'r' and not t.relispartition
              and t.relname in ${ours}
              and i.reltuples >= 0
            order by bytes desc, index_name
            """.replace("${ours}", OUR_TABLES));
    }

    /** Row: how many transactions of this database are older than so many micros; a rebuild would wait for them. */
    String oldTransactions() {
        return """
            select (select count(*) from pg_catalog.pg_stat_activity a
                    where a.datname = current_database() and a.pid <> pg_backend_pid()
                      and a.backend_type = 'client backend'
                      and a.xact_start < clock_timestamp() - ? * interval '1 microsecond')
                 + (select count(*) from pg_catalog.pg_prepared_xacts p where p.database = current_database())
            """;
    }

    /** Runs alone. Locks: SHARE UPDATE EXCLUSIVE on the table; reads and writes go on. */
    String rebuild(String index) {
        return "reindex index concurrently " + index;
    }

    /** Rows: index, quoted and with its schema; what a rebuild that was interrupted left. */
    String leftovers() {
        return database.sql("""
            select pg_catalog.format('%I.%I', n.nspname, i.relname) as name
            from pg_catalog.pg_index x
            join pg_catalog.pg_class i on i.oid = x.indexrelid
            join pg_catalog.pg_class t on t.oid = x.indrelid
            join pg_catalog.pg_namespace n on n.oid = i.relnamespace
            where n.oid = '${schemaText}'::regnamespace and not x.indisvalid and i.relname ~ '_cc(new|old)[0-9]*$'
              and t.relname in ${ours}
            order by i.relname
            """.replace("${ours}", OUR_TABLES));
    }

    /** Runs alone. A rebuild under way holds a lock on the table that this waits for, in vain. */
    String dropLeftover(String index) {
        return "drop index concurrently if exists " + index;
    }

    // @formatter:on
}
